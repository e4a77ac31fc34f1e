"""What is legal: rule books as data, the judges of a turn, scoring, and the referee's procedures."""
