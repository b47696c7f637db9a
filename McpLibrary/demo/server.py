"""The sample server as an importable object: `McpLibrary.demo.server:server`."""

from McpLibrary.demo.shop import build_server

server = build_server()
