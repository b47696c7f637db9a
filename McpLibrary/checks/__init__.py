"""The rules as pure functions: data in, problems out. No I/O, no Robot; imports nothing of ours but the revisions."""
