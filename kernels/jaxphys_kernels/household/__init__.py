"""Facts about a household from where its things are: what is on, under and inside what, open, held, covered, cooked.

ENACT specification, section 3.2. Every function takes the array module (`numpy` or `jax.numpy`) first and any leading
batch of frames; arrays of things are in the order of the house, arrays of hands in the order left, right. Pure.
"""
