"""What the robot's head sees of a house: stages of key frames, lenses and looks."""
