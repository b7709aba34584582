import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { z } from "zod";
import type { Limit } from "#lib/contract/limits.ts";
import type { Method } from "#lib/contract/openapi.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Operation, Reply } from "#server/http/api-request.ts";
import type { RequestContext } from "#server/http/authenticate.ts";
import { type ConnectionLimits, Connections } from "#server/http/connections.ts";
import { httpServer, type Timeouts, timeouts } from "#server/http/http-server.ts";
import { openQueues, type Queues } from "#server/http/queues.ts";
import { memoryRateLimiter } from "#server/http/rate-limiter.ts";
import { BodyMemory } from "#server/http/request-body.ts";
import { routerOf } from "#server/http/router.ts";
import { bodyReader } from "#server/http/validation.ts";
import {
  bodyOperation,
  type OperationDefinition,
  openOperation,
  type RequestJob,
  readOperation,
} from "#server/operations/definition.ts";
import { type Answer, type AnswerRules, envelopeReply } from "#server/operations/envelope-reply.ts";

/** A line logged by the code under test. */
export interface Logged {
  level: "info" | "warn" | "error";
  fields: Record<string, unknown>;
  message: string;
}

export interface TestRequestContext extends RequestContext {
  queues: Queues;
  /** No feed is enabled. */
  brought: ReadonlySet<never>;
  logged: Logged[];
  /** The machine's clock of the test, Unix seconds. */
  time: number;
}

/**
 * A context with the keys `good-key`, `other-key` and those of `limits`, a constant clock and a recorded log.
 *
 * @param limits Keys with a limit of their own.
 */
export function testRequestContext(limits: Record<string, Limit> = {}): TestRequestContext {
  const keys = ["good-key", "other-key", ...Object.keys(limits)];
  const known = new Map(
    keys.map((key, id) => [key, { id: String(id), prefix: key.slice(0, 4), owner: key, limit: limits[key] }]),
  );
  const logged: Logged[] = [];
  const write = (level: Logged["level"]) => (fields: object, message: string) =>
    logged.push({ level, fields: fields as Record<string, unknown>, message });
  const clock = { now: () => context.time };
  const context: TestRequestContext = {
    keys: { find: async (text) => known.get(text) },
    limiter: memoryRateLimiter(clock),
    queues: openQueues(ANSWER_SECONDS),
    brought: new Set(),
    clock,
    weather: { now: () => 1_767_225_600 },
    log: { info: write("info"), warn: write("warn"), error: write("error") },
    logged,
    time: 1_800_000_000,
  };
  return context;
}

/** A context with only the parts that a test needs. Reading another part gives undefined. */
export const testContext = (parts: { readonly [Part in keyof Context]?: unknown }): Context =>
  parts as unknown as Context;

/** Long limit, because tests do not measure the speed of their machine. */
const ANSWER_SECONDS = 100;

/** A schema small enough to read in a test, with one of each kind of rule. */
export const sampleSchema = z.object({
  points: z
    .array(z.object({ latitude: z.number().min(-90).max(90) }))
    .min(1)
    .max(3),
  name: z.string().max(5).optional(),
  flag: z.boolean().default(false),
});

type TestEndpoint = (context: TestRequestContext) => Operation;

/** Makes an endpoint of an operation that needs only the part of the context that the pipeline uses. */
const inTest =
  ({ endpoint }: OperationDefinition): TestEndpoint =>
  (context) =>
    endpoint(testContext(context));

/** GET without a key. */
export const openEndpoint = (handle: (request: ApiRequest) => Reply | Promise<Reply>): TestEndpoint =>
  inTest(openOperation({ route: "GET /" }, handle));

/** GET with a key. */
export const readEndpoint = (
  rules: Pick<Parameters<typeof readOperation>[0], "group" | "query" | "openToGuests">,
  handle: () => Reply,
): TestEndpoint => inTest(readOperation({ route: "GET /", ...rules }, handle));

/** Rules of a POST, without those that only the OpenAPI document needs. */
export type TestBodyRules<Schema extends z.ZodType> = Omit<
  Parameters<typeof bodyOperation<z.output<Schema>>>[0],
  "route" | "schemaName" | "reader"
> & { schema: Schema; validate?: Parameters<typeof bodyReader<Schema>>[1] };

/** POST of JSON that is answered with an envelope. */
export function envelopeEndpoint<Schema extends z.ZodType, Result extends Answer>(
  rules: TestBodyRules<Schema> & AnswerRules<Result>,
  compute: (job: RequestJob<z.output<Schema>>) => Promise<Result>,
): TestEndpoint {
  const stated = { route: "POST /", schemaName: "PointRequest" } as const;
  const reader = bodyReader(rules.schema, rules.validate);
  return inTest(bodyOperation({ ...stated, ...rules, reader }, (job) => envelopeReply(job, rules, compute)));
}

/** Endpoints by path pattern and method. */
export type TestRoutes = Record<string, Partial<Record<Method, TestEndpoint>>>;

export interface TestServer {
  url: string;
  server: Server;
  connections: Connections;
  context: TestRequestContext;
  /** Sends raw bytes, and returns everything received until the server closed the connection. */
  raw(text: string | Buffer): Promise<string>;
  /** Sends a POST of JSON with a valid key. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** Opens a real listening server with the given routes. */
export async function openTestServer(
  routes: TestRoutes,
  options: {
    context?: TestRequestContext;
    times?: Partial<Timeouts>;
    trustedProxies?: number;
    bodies?: BodyMemory;
    connections?: ConnectionLimits;
    draining?: AbortSignal;
  } = {},
): Promise<TestServer> {
  const context = options.context ?? testRequestContext();
  const table = Object.entries(routes).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, endpoint]) => [method, endpoint(context)])),
  ]);
  const router = routerOf(Object.fromEntries(table), { log: context.log, reserved: ["task"] });
  const connections = new Connections(options.connections ?? { all: 1024, ofAddress: 1024 });
  const server = httpServer(
    {
      router,
      log: context.log,
      accessLog: context.log,
      observe: () => undefined,
      trustedProxies: options.trustedProxies ?? 0,
      bodies: options.bodies ?? new BodyMemory(),
      connections,
      draining: options.draining,
      page: async (_incoming, response) => {
        response.writeHead(404, { "content-type": "text/html" }).end("<p>no such page</p>");
      },
    },
    { ...timeouts, ...options.times },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    server,
    connections,
    context,
    raw: (text) => rawExchange(port, text),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": "good-key", ...headers },
        body:
          typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Sends raw bytes, and returns everything received until the server closed the connection. */
export function rawExchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
  });
}
