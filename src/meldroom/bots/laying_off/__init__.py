"""The ladder for the laying-off book (Rummy-O)."""
