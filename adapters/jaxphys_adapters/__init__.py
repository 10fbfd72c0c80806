"""Everything that touches the outside: frames, files, model queries, reports, the command line."""
