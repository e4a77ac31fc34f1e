"""What an organiser arranges around the games: categories, prizes, teams, fees, and days."""
