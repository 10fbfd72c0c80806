"""Primitives on a plane: free motion with Coulomb friction, times of contact, and a table of contact laws."""
