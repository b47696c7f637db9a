"""MCP on top of the wire: eras and revisions, envelope and headers, ids, answers of our client, connections."""
