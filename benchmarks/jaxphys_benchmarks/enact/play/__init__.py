"""Activities carried out: scripts of skills, motions of the robot, physics with events, and recordings."""
