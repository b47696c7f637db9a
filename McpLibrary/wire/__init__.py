"""Bytes and JSON-RPC on every transport; knows no MCP method."""
