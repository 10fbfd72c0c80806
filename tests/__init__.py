"""Tests of the project; `python -m pytest` runs them from the checkout."""
