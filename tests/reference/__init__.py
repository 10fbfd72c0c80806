"""Comparisons with other engines; each test says why it is skipped when its engine is missing."""
