"""ENACT: egocentric household episodes as graphs, questions about their order, and verdicts (arXiv:2511.20937)."""
