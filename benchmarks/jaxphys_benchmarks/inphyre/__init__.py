"""InPhyRe (arXiv:2509.12263): can a model infer the law of a collision from demonstrations?"""
