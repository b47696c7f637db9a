"""`python -m McpLibrary.demo` serves the sample server: over stdio, or with `--http` over Streamable HTTP."""

import argparse


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m McpLibrary.demo", description="The orders shop, an MCP server.")
    parser.add_argument("--http", action="store_true", help="serve Streamable HTTP on 127.0.0.1 instead of stdio")
    parser.add_argument("--port", type=int, help="port for --http; 0, the default, takes any free one")
    options = parser.parse_args()
    if options.port is not None and not options.http:
        parser.error("--port goes with --http")

    from McpLibrary.demo import serving  # here, so that --help and wrong options answer at once

    if options.http:
        serving.serve_http(options.port or 0)
    else:
        serving.serve_stdio()


if __name__ == "__main__":
    main()
