"""RL601-RL608: phase-specific selection of context."""
