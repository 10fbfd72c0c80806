"""Published benchmarks for multimodal models: scenes, labels, questions, scores. Pure, no I/O."""
