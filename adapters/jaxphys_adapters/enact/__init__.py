"""Files and commands of the ENACT benchmark: scene graphs, question files, packs, evaluation and export."""
