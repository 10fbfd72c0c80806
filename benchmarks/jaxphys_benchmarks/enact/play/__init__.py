"""Activities carried out: scripts of skills, the robot's motions, physics with events, and what was recorded of them."""
