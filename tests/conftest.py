"""Settings for all tests: hypothesis repeats itself, so that a run today and a run tomorrow agree."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ["LC_ALL"] = "C.UTF-8"  # the commands answer in the language of the system: here English

settings.register_profile(
    "meldroom", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("meldroom")
