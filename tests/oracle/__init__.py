"""Independent answers to check the product against; nothing here imports it.

`numpy_loop` is a plain float64 event simulator, `exact_loop` the same model in high precision, `closed_forms`
what a formula can say; `workload` draws the scenes of the speed and accuracy tables.
"""
