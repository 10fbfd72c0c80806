"""BilliardPhys-Bench (arXiv:2605.30900): what happens on a billiard table in the next t seconds, from one picture.

`benchmark.BilliardPhys` is the way in; `README.md` says what the other modules hold.
"""
