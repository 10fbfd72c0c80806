"""Rigid bodies: numerics around a MuJoCo model, one scene at a time."""
