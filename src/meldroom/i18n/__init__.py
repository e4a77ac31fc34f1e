"""The message catalogue: every text people read, by language; plurals, numbers and dates."""
