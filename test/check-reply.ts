import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { z } from "zod";
import type { Reply, StreamedBody } from "#server/http/api-request.ts";
import { apiDocument } from "#server/operations/operations.ts";

type JsonSchema = { [key: string]: unknown };
type Content = Record<string, { schema: JsonSchema }>;

interface Described {
  requestBody?: { $ref: string };
  responses: Record<string, { content?: Content }>;
}

const { paths, components } = apiDocument("0") as unknown as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonSchema>; requestBodies: Record<string, { content: Content }> };
};

/** The OpenAPI document contradicts the service. */
class UndocumentedError extends Error {
  override readonly name = "UndocumentedError";
}

/**
 * Checks a reply against /openapi.json: its status, its media type and its JSON. Also checks that the document allows a
 * body that was accepted.
 *
 * @returns The reply. A streamed one is checked when its last byte is read.
 */
export function checkedReply(method: string, path: string, sent: unknown, reply: Reply): Reply {
  const described = operationAt(method, path);
  // The router answers some requests by itself, and some operations are not part of the published contract.
  if (!described || method === "OPTIONS") return reply;
  const name = `${method} ${path} with ${reply.status}`;
  const stated = described.responses[reply.status];
  if (!stated) {
    // A 500 is not part of the contract; the tests that provoke one read it.
    if (reply.status === 500) return reply;
    throw new UndocumentedError(`${name}: the status is not in /openapi.json`);
  }
  if (reply.status < 300 && described.requestBody) {
    const { content } = components.requestBodies[described.requestBody.$ref.split("/").at(-1)!]!;
    check(content["application/json"]!.schema, sent, `${name}: what was sent`);
  }
  const { body } = reply;
  if (body === null) return reply;
  const type = (reply.headers["content-type"] ?? "").split(";")[0]!;
  const schema = stated.content?.[type]?.schema;
  if (!schema) throw new UndocumentedError(`${name}: ${type || "no type"} is not in /openapi.json`);
  if (type !== "application/json") return reply;
  const checkBytes = (bytes: Buffer) => {
    const unpack = unpackers[reply.headers["content-encoding"] ?? "identity"]!;
    check(schema, JSON.parse(unpack(bytes).toString()), name);
  };
  if (typeof body === "string" || body instanceof Uint8Array) checkBytes(Buffer.from(body));
  else return { ...reply, body: checkedAtEnd(body, checkBytes) };
  return reply;
}

function checkedAtEnd(body: StreamedBody, checkBytes: (bytes: Buffer) => void): StreamedBody {
  return {
    gzip: body.gzip && (() => readBy(body.gzip!(), (bytes) => checkBytes(gunzipSync(bytes)))),
    [Symbol.asyncIterator]: () => readBy(body, checkBytes),
  };
}

async function* readBy(
  pieces: AsyncIterable<Uint8Array>,
  checkBytes: (bytes: Buffer) => void,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pieces) {
    chunks.push(chunk);
    yield chunk;
  }
  checkBytes(Buffer.concat(chunks));
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

function operationAt(method: string, path: string): Described | undefined {
  // The router ignores a trailing slash.
  const segments = path.replace(/(?<=.)\/+$/, "").split("/");
  const found = Object.keys(paths)
    .filter((pattern) => {
      const expected = pattern.split("/");
      return (
        expected.length === segments.length &&
        expected.every((segment, at) => segment.startsWith("{") || segment === segments[at])
      );
    })
    // `/user/tasks/PENDING` comes before `/user/tasks/{state}`.
    .toSorted((one, other) => one.split("{").length - other.split("{").length)[0];
  return found === undefined ? undefined : paths[found]![(method === "HEAD" ? "GET" : method).toLowerCase()];
}

/** Most characters of the errors of each branch of a union that are shown. */
const MAX_SHOWN = 2_000;

/** Checkers by the text of a schema, because creating one costs more than using it. */
const checkers = new Map<string, z.ZodType>();

function check(schema: JsonSchema, value: unknown, name: string): void {
  const text = JSON.stringify(schema);
  const checker =
    checkers.get(text) ?? z.fromJSONSchema(resolved(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  checkers.set(text, checker);
  const { error } = checker.safeParse(value);
  if (error)
    throw new UndocumentedError(
      `${name}: ${z.prettifyError(error)}\n${JSON.stringify(error.issues).slice(0, MAX_SHOWN)}`,
    );
}

/** Replaces the references of a schema by their targets. */
function resolved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) return resolved(components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)]);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value)]));
}
