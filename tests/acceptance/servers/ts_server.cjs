// A plain McpServer of the official TypeScript SDK, with nothing mended. `--http PORT` serves Streamable HTTP with the guards
// that the SDK's own framework adapters put in front; otherwise stdio. MCPLIBRARY_NODE_MODULES says where the packages are.
const { createRequire } = require("node:module");
const path = require("node:path");
const load = createRequire(path.join(process.env.MCPLIBRARY_NODE_MODULES ?? path.resolve("node_modules"), "x"));

const { McpServer, createMcpHandler } = load("@modelcontextprotocol/server");
const { z } = load("zod");

function build() {
  const server = new McpServer({ name: "plain-ts", version: "1" });
  server.registerTool(
    "add",
    {
      description: "Add two integers.",
      inputSchema: z.object({ a: z.number().int(), b: z.number().int() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  server.registerPrompt(
    "review",
    { description: "Review code.", argsSchema: z.object({ code: z.string() }) },
    ({ code }) => ({ messages: [{ role: "user", content: { type: "text", text: `Review ${code}` } }] }),
  );
  return server;
}

if (process.argv.includes("--http")) {
  const { toNodeHandler, localhostHostValidation, localhostOriginValidation } = load("@modelcontextprotocol/node");
  const [host, origin] = [localhostHostValidation(), localhostOriginValidation()];
  const handler = toNodeHandler(createMcpHandler(build));
  require("node:http")
    .createServer((request, response) => {
      if (host(request, response) && origin(request, response)) handler(request, response);
    })
    .listen(Number(process.argv.at(-1)), "127.0.0.1");
} else {
  load("@modelcontextprotocol/server/stdio").serveStdio(build);
}
