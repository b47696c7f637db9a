"""``python -m McpLibrary`` is the same as ``mcplibrary``."""

import sys

from .cli import main

sys.exit(main())
