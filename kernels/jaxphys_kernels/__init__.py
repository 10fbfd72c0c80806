"""Pure JAX numerics of one scene: arrays and small pytrees in, the same out.

Nothing here touches files, clocks, random numbers of the host or global JAX settings.
"""
