"""The Unitree G1: a walking policy, arms by inverse kinematics and the corrections between them, as pure functions.

Every function takes `xp`, which is numpy or jax.numpy, and arrays with any leading batch shape "…". `control` joins the
parts; `prepare` and `command` are its two halves, with room for another policy in the middle.
"""
