"""How a championship is played: stages, cuts, tie-breaks, presets, and closing a stage."""
