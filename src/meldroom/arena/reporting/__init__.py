"""What comes of an experiment: statistics, ratings, tables, files and the report."""
