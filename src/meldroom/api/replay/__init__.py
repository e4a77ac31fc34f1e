"""Finished games looked at again: steps, analyses, pictures and proofs."""
