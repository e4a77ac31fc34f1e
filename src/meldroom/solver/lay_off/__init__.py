"""The laying-off book solved (Rummy-O)."""
