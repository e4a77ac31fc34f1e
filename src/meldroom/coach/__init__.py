"""The coach: how likely a seat is to win, what was better, and why a strong player would do it."""

from meldroom.coach.win_probability import Estimate, Forecast, estimates, win_probability

__all__ = ["Estimate", "Forecast", "estimates", "win_probability"]
