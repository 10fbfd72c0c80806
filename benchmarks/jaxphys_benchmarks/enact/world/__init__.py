"""Houses of primitives: what is in them, where it stands, and the MuJoCo model of it (ENACT specification, 12)."""
