"""Game records: text and JSON, replay, verification of the shuffle, pictures."""
