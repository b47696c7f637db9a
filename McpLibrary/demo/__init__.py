"""The sample server ("orders shop") that the ready-made suites run on by default; `server.py` holds it."""
