import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { type BodyBounds, bodyBounds, MAX_DEPTH } from "#lib/contract/body-shape.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { ApiRequest } from "./api-request.ts";
import { checkLists, harden, runOf } from "./hardened-schema.ts";
import { jsonErrorAt } from "./json-error.ts";
import { detailReply, HttpError, invalid, type ValidationIssue } from "./reply.ts";
import { type Excess, scanBody } from "./scan-body.ts";
import { validationIssues } from "./validation-issue.ts";

const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*;?\s*$/i;

/**
 * The bytes of a JSON body: 415 for another type or a compressed body, 413 beyond the limit.
 *
 * Throws `HttpError` and the errors of `ApiRequest.body`.
 */
export async function jsonBytes(request: ApiRequest, limitBytes: number): Promise<Uint8Array> {
  if (!JSON_TYPE.test(request.header("content-type") ?? "")) {
    throw new HttpError(detailReply(415, "Unsupported Media Type: send application/json in UTF-8"));
  }
  const encoding = request.header("content-encoding")?.trim().toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new HttpError(
      detailReply(415, "Unsupported Media Type: send the body uncompressed", {
        "accept-encoding": "identity",
      }),
    );
  }
  return request.body(limitBytes);
}

/** Shorter bodies can hold too little to be counted first. */
const MIN_SCANNED_BYTES = 64 * 1024;

/** Reads a body. @param now Weather clock, Unix seconds. @throws HttpError of 422, or of 413 where it holds too much. */
export type ReadBody<Body> = (bytes: Uint8Array, now: number) => Body | Promise<Body>;

/**
 * The one reader of JSON bodies, of requests and of those stored for tasks: counted, parsed, checked against a schema and
 * by rules that need the clock. Other events of the thread come between the steps of a large body.
 */
export function bodyReader<Schema extends z.ZodType>(
  schema: Schema,
  rules: (body: z.output<Schema>, now: number) => ValidationIssue[] = () => [],
): ReadBody<z.output<Schema>> {
  const check = checkerOf(schema, "body");
  const keepRules = (body: z.output<Schema>, now: number) => {
    const issues = rules(body, now);
    if (issues.length > 0) throw invalid(...issues);
    return body;
  };
  const count = bodyCounter(schema);
  const readLarge = async (bytes: Uint8Array, now: number) => {
    // Many bodies may have arrived in this round of the event loop.
    await nextTurn();
    await count(bytes);
    await nextTurn();
    const value = parseJsonBody(bytes);
    await nextTurn();
    const body = check(value, await checkLists(schema, value));
    await nextTurn();
    return keepRules(body, now);
  };
  return (bytes, now) =>
    bytes.length > MIN_SCANNED_BYTES ? readLarge(bytes, now) : keepRules(check(parseJsonBody(bytes)), now);
}

/**
 * Counts what bodies would become before they are parsed, with pauses.
 *
 * @returns Called with a body; rejects with an `HttpError` of 422 or 413 where it would be too much.
 */
export function bodyCounter(schema: z.ZodType): (bytes: Uint8Array) => Promise<void> {
  let bounds: BodyBounds | undefined;
  return async (bytes) => {
    bounds ??= bodyBounds(schema);
    const scan = scanBody(bytes, bounds);
    let step = scan.next();
    for (; !step.done; step = scan.next()) await nextTurn();
    if (step.value) throw tooMuch(step.value, schema);
  };
}

function tooMuch(excess: Excess, schema: z.ZodType): HttpError {
  switch (excess.kind) {
    case "list":
      return invalid(listIssue(schema, excess.path, excess.length));
    case "depth":
      return jsonInvalid(excess.position, `Nested deeper than ${MAX_DEPTH} levels`);
    case "extras":
      return new HttpError(detailReply(413, "The request body holds too much besides the documented fields"));
  }
}

/** What the schema says about a list of that length. An array of holes costs nothing. */
function listIssue(schema: z.ZodType, path: (string | number)[], length: number): ValidationIssue {
  const body = path.reduceRight<unknown>(
    (inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }),
    new Array(length),
  );
  const place = JSON.stringify(path.map((key) => (typeof key === "number" ? 0 : key)));
  const { issues } = runOf(schema, body);
  const there = issues.filter((issue) => JSON.stringify(issue.path) === place);
  // A list that is one of several forms of a value has an issue of all forms.
  const found = there.find(({ code }) => code === "too_big") ?? there[0];
  const loc = ["body", ...path];
  if (!found) return { type: "too_long", loc, msg: "The list is longer than any valid one" };
  return { ...validationIssues(found, "body")[0]!, loc };
}

/**
 * Parses a JSON body.
 *
 * UTF-8 only, a byte order mark is skipped. An empty body is `missing`, as in FastAPI. Throws `HttpError` of 422.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) throw invalid({ type: "missing", loc: ["body"], msg: "Field required" });
  if (!isUtf8(buffer)) throw jsonInvalid(0, "Text is not UTF-8");
  const text = withoutByteOrderMark(buffer).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const found = jsonErrorAt(text);
    throw jsonInvalid(found?.position ?? 0, found?.reason ?? "Expecting value");
  }
}

/**
 * A checker of one part of a request against a schema, which throws an `HttpError` of 422. Create it once per schema, at
 * the start.
 *
 * Lists are checked only until `MAX_ISSUES` issues are found: a hostile list of a million invalid entries costs no more
 * than a valid one. The schema must be synchronous.
 *
 * @param part What `loc` begins with.
 * @returns Called with the input, and the entries of its lists that are checked already.
 */
export function checkerOf<Schema extends z.ZodType>(
  schema: Schema,
  part: "body" | "query",
): (input: unknown, checked?: ReadonlySet<unknown>) => z.output<Schema> {
  harden(schema);
  return (input, checked) => {
    const result = runOf(schema, input, checked);
    if (result.issues.length === 0) return result.value as z.output<Schema>;
    throw invalid(...result.issues.flatMap((issue) => validationIssues(issue, part)));
  };
}

/** A body that is sent on must not begin with one (RFC 8259, 8.1). */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? (bytes.subarray(3) as Bytes) : bytes;
}

function jsonInvalid(position: number, error: string): HttpError {
  return invalid({ type: "json_invalid", loc: ["body", position], msg: "JSON decode error", ctx: { error } });
}
