import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { type BodyBounds, bodyBounds, MAX_DEPTH } from "#lib/contract/body-shape.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { ApiRequest } from "./api-request.ts";
import { jsonErrorAt } from "./json-error.ts";
import { detailReply, HttpError, invalid, MAX_ISSUES, type ValidationIssue } from "./reply.ts";
import { type Excess, scanBody } from "./scan-body.ts";
import { validationIssues } from "./validation-issue.ts";

/** How many more issues are worth finding; passed along in zod's own context. */
interface IssueBudget {
  left: number;
}

type RunContext = z.core.ParseContextInternal & { budget?: IssueBudget };

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
  const checkAll = (value: unknown, now: number) => {
    const body = check(value);
    const issues = rules(body, now);
    if (issues.length > 0) throw invalid(...issues);
    return body;
  };
  let bounds: BodyBounds | undefined;
  const readLarge = async (bytes: Uint8Array, now: number) => {
    bounds ??= bodyBounds(schema);
    const scan = scanBody(bytes, bounds);
    let step = scan.next();
    for (; !step.done; step = scan.next()) await nextTurn();
    if (step.value) throw tooMuch(step.value, schema);
    await nextTurn();
    const value = parseJsonBody(bytes);
    await nextTurn();
    return checkAll(value, now);
  };
  return (bytes, now) =>
    bytes.length > MIN_SCANNED_BYTES ? readLarge(bytes, now) : checkAll(parseJsonBody(bytes), now);
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
 */
export function checkerOf<Schema extends z.ZodType>(
  schema: Schema,
  part: "body" | "query",
): (input: unknown) => z.output<Schema> {
  harden(schema);
  return (input) => {
    const result = runOf(schema, input);
    if (result.issues.length === 0) return result.value as z.output<Schema>;
    throw invalid(...result.issues.flatMap((issue) => validationIssues(issue, part)));
  };
}

function runOf(schema: z.ZodType, value: unknown): z.core.ParsePayload {
  const context: RunContext = {
    async: false,
    // The message for an issue inside a union depends on what was sent.
    reportInput: true,
    budget: { left: MAX_ISSUES },
  };
  const result = schema._zod.run({ value, issues: [] }, context);
  if (result instanceof Promise) throw new TypeError("A request schema must be synchronous");
  return result;
}

/**
 * Adapts a schema to hostile input: entries of lists are skipped once the budget of issues is spent, and the length of
 * a value is checked only where the value has one.
 */
function harden(schema: z.core.$ZodType): void {
  if (hardened.has(schema)) return;
  hardened.add(schema);
  const definition = schema._zod.def as {
    shape?: Record<string, z.core.$ZodType>;
    innerType?: z.core.$ZodType;
    element?: z.core.$ZodType;
    options?: readonly z.core.$ZodType[];
    checks?: readonly z.core.$ZodCheck[];
  };
  for (const check of definition.checks ?? []) onlyOfLists(check);
  for (const field of Object.values(definition.shape ?? {})) harden(field);
  for (const option of definition.options ?? []) harden(option);
  if (definition.innerType) harden(definition.innerType);
  if (!definition.element) return;
  harden(definition.element);
  if (!budgeted.has(definition.element)) stopAtBudget(definition.element);
}

/**
 * zod checks the length of any value that has a `length`, also of one whose type is already refused: an object of the
 * caller's with such a key, whose comparison throws.
 */
function onlyOfLists(check: z.core.$ZodCheck): void {
  const definition = check._zod.def;
  const { when } = definition;
  if (!when) return;
  definition.when = (payload) =>
    (typeof payload.value === "string" || Array.isArray(payload.value)) && when(payload);
}

function stopAtBudget(entry: z.core.$ZodType): void {
  budgeted.add(entry);
  const run = entry._zod.run;
  entry._zod.run = (payload, context: RunContext) => {
    const { budget } = context;
    if (!budget) return run(payload, context);
    if (budget.left <= 0) return payload;
    const result = run(payload, context);
    if (!(result instanceof Promise)) budget.left -= result.issues.length;
    return result;
  };
}

/** Schemas shared by several requests are adapted once. */
const hardened = new WeakSet<z.core.$ZodType>();
const budgeted = new WeakSet<z.core.$ZodType>();

/** A body that is sent on must not begin with one (RFC 8259, 8.1). */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? (bytes.subarray(3) as Bytes) : bytes;
}

function jsonInvalid(position: number, error: string): HttpError {
  return invalid({ type: "json_invalid", loc: ["body", position], msg: "JSON decode error", ctx: { error } });
}
