"""Episodes as data: graphs over time, key frames, what is seen in them, and which questions make a data set."""
