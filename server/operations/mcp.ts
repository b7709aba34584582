import { buffer } from "node:stream/consumers";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { stormsQuery } from "#lib/contract/storms.ts";
import { nearestTideQuery } from "#lib/contract/tides.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { countAddress, rateGroups } from "#server/http/authenticate.ts";
import { noStore } from "#server/http/reply.ts";
import { type Router, routerOf } from "#server/http/router.ts";
import { files } from "./boxes.ts";
import { type OperationDefinition, openOperation } from "./definition.ts";
import { ensemble } from "./ensembles.ts";
import { passageEvaluate } from "./passages.ts";
import { metOcean } from "./points.ts";
import { storms } from "./storms.ts";
import { nearestTide } from "./tides.ts";
import { workability } from "./workability.ts";

/** Longest message of a client, bytes: a passage of 200 places. */
const MAX_MESSAGE_BYTES = 256 * 1024;

/** Longest answer of a tool, characters. A language model reads every one of them. */
const MAX_ANSWER = 60_000;

const NOT_FOR_NAVIGATION =
  "Forecasts come from computer models and may be wrong. Not for navigation: use them for planning only, and follow official forecasts and warnings.";

const SYNTHETIC = "The numbers are invented demo data, not a forecast.";

/** A tool of the Model Context Protocol: one operation, with the operation's own schema, limits and errors. */
interface Tool {
  operation: OperationDefinition;
  /** Schema of the query; an operation with a body names that of the body. */
  query?: z.ZodType;
  title: string;
  /** Parts of a request that every call has. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Parts of each result that are left out, because they are shapes to draw. */
  leftOut?: readonly string[];
}

/** Answers at once, without e-mail: a tool has one answer. */
const atOnce = { async: false, receive_mail: false };

const tools: Readonly<Record<string, Tool>> = {
  point: {
    operation: metOcean,
    title: "Conditions at places, each with its own time",
    fixed: { receive_mail: false, include_meta: true },
  },
  ensemble: {
    operation: ensemble,
    title: "How sure a forecast is: mean, percentiles and share of members over limits at places",
  },
  series: {
    operation: files,
    title: "Conditions at places over a time: area of type points, format json",
    fixed: { ...atOnce, format: "json", estimate: false },
  },
  tide: {
    operation: nearestTide,
    query: nearestTideQuery,
    title: "Tide or tidal stream at the nearest station by water",
  },
  storms: {
    operation: storms,
    query: stormsQuery,
    title: "Active tropical storms with their forecast tracks",
    leftOut: ["cone"],
  },
  passage: {
    operation: passageEvaluate,
    title: "Weather along a passage, with a verdict for the limits of the vessel",
    fixed: atOnce,
  },
  windows: {
    operation: workability,
    title: "Share of hours within limits, and weather windows",
    fixed: atOnce,
  },
};

/**
 * POST /mcp: the Model Context Protocol by its streamable HTTP transport, without sessions. A tool asks its operation with
 * the headers of the client, so that keys, visitors and limits are those of the operation.
 */
export const mcp: OperationDefinition = openOperation({ route: "POST /mcp" }, async (request, context) => {
  await countAddress(request, context, "mcp", rateGroups.tasks);
  const body = await request.body(MAX_MESSAGE_BYTES);
  const router = toolRouter(context);
  // Few installations are asked by this protocol, so the package is loaded by the first request.
  const { createMcpHandler, McpServer: Server } = await import("@modelcontextprotocol/server");
  const handler = createMcpHandler(() =>
    withTools(new Server({ name: SERVICE_NAME, version: context.version }), router, request),
  );
  try {
    return await replyOf(await handler.fetch(webRequest(request, body)));
  } finally {
    await handler.close();
  }
});

function toolRouter(context: Context): Router {
  const table: Record<string, object> = {};
  for (const { operation } of Object.values(tools))
    table[operation.path] = { [operation.method]: operation.endpoint(context) };
  return routerOf(table, context);
}

function withTools(server: McpServer, router: Router, request: ApiRequest): McpServer {
  for (const [name, { operation, query, title, fixed, leftOut }] of Object.entries(tools)) {
    const { summary = "", description = "" } = operation.docs ?? {};
    server.registerTool(
      name,
      {
        title,
        description: `${title}. ${summary}. ${description} ${NOT_FOR_NAVIGATION}`,
        inputSchema: uncheckedInput(query ?? requests[operation.body!.name]),
        annotations: { readOnlyHint: true, idempotentHint: true },
      },
      async (input) => {
        const reply = await router.answer(toolRequest(request, operation, { ...input, ...fixed }));
        return resultOf(reply, leftOut);
      },
    );
  }
  return server;
}

type Input = Record<string, unknown>;

/** Shows the schema of an operation to the client. The operation checks the input, in words that name what is wrong. */
function uncheckedInput(schema: z.ZodType) {
  const asJson = () => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Input;
  return {
    "~standard": {
      version: 1 as const,
      vendor: SERVICE_NAME,
      validate: (value: unknown) => ({ value: (value ?? {}) as Input }),
      jsonSchema: { input: asJson, output: asJson },
      types: undefined as unknown as { input: Input; output: Input },
    },
  };
}

/** Makes the request to an operation: the client's, with another target and body. */
function toolRequest(request: ApiRequest, { method, path }: OperationDefinition, input: Input): ApiRequest {
  const asQuery = method === "GET";
  const bytes = Buffer.from(JSON.stringify(input));
  const own: Readonly<Record<string, string | undefined>> = {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": undefined,
    "if-none-match": undefined,
    "idempotency-key": undefined,
  };
  const { id, address, arrived, route } = request;
  // A copy by spreading would lack the properties that a request creates on first use.
  return {
    id,
    address,
    arrived,
    route,
    method,
    path,
    segments: path.split("/").slice(1),
    params: {},
    query: asQuery ? queryOf(input) : new URLSearchParams(),
    header: (name) => (name in own ? own[name] : request.header(name)),
    body: async () => bytes,
    replyHeaders: {},
    get sender() {
      return request.sender;
    },
    get aborter() {
      return request.aborter;
    },
    get signal() {
      return request.signal;
    },
  };
}

function queryOf(input: Input): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) query.set(name, [value].flat().join(","));
  return query;
}

async function resultOf(reply: Reply, leftOut: readonly string[] = []) {
  const { body } = reply;
  const text =
    typeof body === "string"
      ? body
      : body === null
        ? ""
        : Buffer.from(body instanceof Uint8Array ? body : await buffer(body)).toString();
  const answer = JSON.parse(text || "{}", (key, value) =>
    leftOut.includes(key) ? undefined : value,
  ) as Input;
  const isError = reply.status >= 400 || answer.status === "FAILURE";
  const notes = [
    NOT_FOR_NAVIGATION,
    ...(reply.headers["x-data-provenance"] === "synthetic" ? [SYNTHETIC] : []),
  ];
  const whole = JSON.stringify(
    isError ? { status: reply.status, ...answer } : { note: notes.join(" "), ...answer },
  );
  if (whole.length > MAX_ANSWER)
    return toolText(
      `The answer has ${whole.length} characters, and a tool answers with at most ${MAX_ANSWER}: ask for fewer places, times or variables.`,
      true,
    );
  return toolText(whole, isError);
}

const toolText = (text: string, isError: boolean) => ({
  content: [{ type: "text" as const, text }],
  isError,
});

function webRequest(request: ApiRequest, body: Uint8Array): Request {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = request.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  // Only the path counts for the transport.
  return new Request("http://service/mcp", {
    method: "POST",
    headers,
    body: Buffer.from(body),
    signal: request.signal,
  });
}

async function replyOf(response: Response): Promise<Reply> {
  const type = response.headers.get("content-type");
  const headers = { ...noStore, ...(type !== null && { "content-type": type }) };
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
}
