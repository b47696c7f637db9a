// A server of the official TypeScript SDK with a tool that asks in rounds, over stdio. `--sealed` puts the SDK's codec around its
// requestState; without it the state travels as it is. MCPLIBRARY_NODE_MODULES says where the packages are.
const { createRequire } = require("node:module");
const path = require("node:path");
const load = createRequire(path.join(process.env.MCPLIBRARY_NODE_MODULES ?? path.resolve("node_modules"), "x"));

const { McpServer, createRequestStateCodec, inputRequired } = load("@modelcontextprotocol/server");
const { z } = load("zod");

const codec = process.argv.includes("--sealed")
  ? createRequestStateCodec({ key: require("node:crypto").randomBytes(32) })
  : null;

function build() {
  const options = codec ? { requestState: { verify: codec.verify } } : {};
  const server = new McpServer({ name: "asking-ts", version: "1" }, options);
  server.registerTool(
    "reserve",
    { description: "Reserve a book; the user says how many.", inputSchema: z.object({ title: z.string() }) },
    async ({ title }, ctx) => {
      const answer = ctx.mcpReq.inputResponses?.qty;
      const state = ctx.mcpReq.requestState();
      if (state === undefined || answer === undefined) {
        const plain = JSON.stringify({ title });
        const question = inputRequired.elicit({
          message: `How many of ${title}?`,
          requestedSchema: { type: "object", properties: { qty: { type: "integer" } }, required: ["qty"] },
        });
        return inputRequired({
          inputRequests: { qty: question },
          requestState: codec ? await codec.mint({ title }, ctx) : Buffer.from(plain).toString("base64url"),
        });
      }
      if (answer.action !== "accept" || !Number.isInteger(answer.content?.qty)) {
        return { content: [{ type: "text", text: "Nothing was reserved." }], isError: true };
      }
      return { content: [{ type: "text", text: `Reserved ${answer.content.qty} x ${title}` }] };
    },
  );
  return server;
}

load("@modelcontextprotocol/server/stdio").serveStdio(build);
