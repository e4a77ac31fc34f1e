"""A game in the terminal: drafts, rack order and judgement as plain logic, and the screens that show them."""
