"""ReactHuman: sudden household hazards, and what a humanoid should do about them."""
