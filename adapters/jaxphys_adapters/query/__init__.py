"""Asking models: questions of any benchmark go out, replies come back, are read, scored and kept.

Only the `Benchmark` protocol is known here, so a benchmark plugs in by the registry alone. Asking needs the
`eval` extra (inspect-ai); reading and scoring answers obtained elsewhere does not.

source -> questions -> samples -> solver (policy, failures, cache) -> scorer -> evaluate
"""
