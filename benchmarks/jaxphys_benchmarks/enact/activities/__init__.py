"""Thirty-six things to do at home, and own ones (ENACT specification, section 14)."""
