import { isUtf8 } from "node:buffer";
import { z } from "zod";
import type { ApiRequest } from "./api-request.ts";
import { detailReply, HttpError, invalid, MAX_ISSUES, type ValidationIssue } from "./reply.ts";

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

/** Reads bodies of one schema. */
export interface BodyReader<Body> {
  /** @param now Weather clock, Unix seconds. @throws HttpError of 422. */
  read(bytes: Uint8Array, now: number): Body;
  /** The rules that the schema does not have, for a body that has been checked against it. @throws HttpError of 422. */
  ensureRules(body: Body, now: number): Body;
}

/**
 * Parses JSON bodies, and checks them against a schema and by rules that need the clock or another table. To be created once
 * per schema, at the start.
 */
export function bodyReader<Schema extends z.ZodType>(
  schema: Schema,
  rules: (body: z.output<Schema>, now: number) => ValidationIssue[] = () => [],
): BodyReader<z.output<Schema>> {
  const check = checkerOf(schema, "body");
  const ensureRules = (body: z.output<Schema>, now: number) => {
    const issues = rules(body, now);
    if (issues.length > 0) throw invalid(...issues);
    return body;
  };
  return { read: (bytes, now) => ensureRules(check(parseJsonBody(bytes)), now), ensureRules };
}

/** Values, and lists and objects, of the largest body that is parsed: beyond them a parser may take more memory than a thread has. */
const MAX_VALUES = 3_000_000;
const MAX_CONTAINERS = 500_000;

/** Different names of members: a parser takes microseconds for each new one. Every request has fewer than a hundred. */
const MAX_NAMES = 5000;
const NAME_SLOTS = 2 ** 16;

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, OPEN_OBJECT, COLON] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b, 0x3a];

const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Counts what a large body would become before it is parsed: a byte of text can become thirty of memory.
 *
 * @throws HttpError of 413.
 */
export function ensureParsable(bytes: Uint8Array): void {
  let values = 0;
  let containers = 0;
  let names = 0;
  const seen = new Uint8Array(NAME_SLOTS);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      let hash = 0;
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH) at++;
        hash = Math.imul(hash ^ bytes[at]!, 0x01000193) + 1;
      }
      let next = at + 1;
      while (SPACES.has(bytes[next]!)) next++;
      const slot = (hash ^ (hash >>> 16)) & (NAME_SLOTS - 1);
      if (bytes[next] === COLON && seen[slot] === 0) {
        seen[slot] = 1;
        names++;
      }
    } else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) containers++;
  }
  if (values > MAX_VALUES || containers > MAX_CONTAINERS || names > MAX_NAMES)
    throw new HttpError(detailReply(413, "The request body holds too much besides the documented fields"));
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
    throw jsonInvalid(...syntaxErrorOf(error, text.length));
  }
}

/** The engine's errors in the words of Python's decoder, which clients of FastAPI know. The engine's own may quote the input. */
const syntaxErrors: readonly [RegExp, string][] = [
  [/^Expected (?:property name|double-quoted)/, "Expecting property name enclosed in double quotes"],
  [/^Expected ','/, "Expecting ',' delimiter"],
  [/^Expected ':'/, "Expecting ':' delimiter"],
  [/^Unterminated string|^Bad /, "Invalid or unterminated string"],
  [/^Unexpected non-whitespace/, "Extra data"],
];

/** @returns Position, where the engine tells it, and what was expected there. */
function syntaxErrorOf({ message }: SyntaxError, length: number): [number, string] {
  const position = / in JSON at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1];
  const atEnd = message.startsWith("Unexpected end") ? length : 0;
  const known = syntaxErrors.find(([pattern]) => pattern.test(message));
  return [position === undefined ? atEnd : Number(position), known?.[1] ?? "Expecting value"];
}

/**
 * A checker of one part of a request against a schema, which throws an `HttpError` of 422. The schema must be synchronous.
 *
 * @param part What `loc` begins with.
 */
export function checkerOf<Schema extends z.ZodType>(
  schema: Schema,
  part: "body" | "query",
): (input: unknown) => z.output<Schema> {
  const lists = listsOf(schema);
  return (input) => {
    const { value, issues } = firstIssues(lists, input, part) ?? runOf(schema, input, part);
    if (issues.length === 0) return value as z.output<Schema>;
    throw invalid(...issues.slice(0, MAX_ISSUES).flatMap((issue) => validationIssues(issue, part)));
  };
}

/** Lists up to this length are checked whole. */
const MAX_WHOLE = 500;
/** Entries of a longer one that are looked at first, at random: no caller can place wrong ones between them. */
const SAMPLE = 64;

/**
 * The first issues of a long list of which many entries are wrong: zod would make an issue for every one.
 *
 * @returns undefined where the body is to be checked whole.
 */
function firstIssues(
  lists: ReturnType<typeof listsOf>,
  input: unknown,
  part: "body" | "query",
): z.core.ParsePayload | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  for (const { name, entry } of lists) {
    const list = (input as Record<string, unknown>)[name];
    if (!Array.isArray(list) || list.length <= MAX_WHOLE) continue;
    const sample = Array.from({ length: SAMPLE }, () => list[Math.floor(Math.random() * list.length)]);
    if (sample.every((one) => runOf(entry, one, part).issues.length === 0)) continue;
    const issues: z.core.$ZodRawIssue[] = [];
    for (let at = 0; at < list.length && issues.length < MAX_ISSUES; at++)
      for (const issue of runOf(entry, list[at], part).issues)
        issues.push({ ...issue, path: [name, at, ...(issue.path ?? [])] });
    if (issues.length >= MAX_ISSUES) return { value: undefined, issues };
  }
  return undefined;
}

/** The lists of an object, with the schemas of their entries. */
function listsOf(schema: z.ZodType) {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, member]) => {
    const entry = entryOf(member);
    return entry ? [{ name, entry }] : [];
  });
}

/** The schema of the entries of a list; undefined for what is not a list. */
function entryOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapped ? entryOf(schema.unwrap() as z.ZodType) : undefined;
}

function runOf(schema: z.ZodType, value: unknown, part: "body" | "query"): z.core.ParsePayload {
  let result: z.core.util.MaybeAsync<z.core.ParsePayload>;
  try {
    // The message for an issue inside a union depends on what was sent, so that issues keep their input.
    result = schema._zod.run({ value, issues: [] }, { async: false, reportInput: true });
  } catch (error) {
    // zod compares the `length` of whatever has one, also where it is an object of the caller's.
    if (!(error instanceof TypeError)) throw error;
    throw invalid({ type: "value_error", loc: [part], msg: "Value error, a length is not a number" });
  }
  if (result instanceof Promise) throw new TypeError("A request schema must be synchronous");
  return result;
}

/** A body that is sent on must not begin with one (RFC 8259, 8.1). */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? (bytes.subarray(3) as Bytes) : bytes;
}

function jsonInvalid(position: number, error: string): HttpError {
  return invalid({ type: "json_invalid", loc: ["body", position], msg: "JSON decode error", ctx: { error } });
}

/** Most characters of an unknown name that is told. */
const MAX_KEY = 40;

type Message = Omit<ValidationIssue, "loc">;

/** A zod issue in the type, location and message of pydantic v2; several for the nearest branch of a union. */
function validationIssues(issue: z.core.$ZodRawIssue, part: "body" | "query"): ValidationIssue[] {
  const path = issue.path ?? [];
  // The length of an object that should be a list: its type is refused already.
  if ((issue.code === "too_small" || issue.code === "too_big") && issue.origin === "unknown") return [];
  if (issue.code === "invalid_union" && issue.input !== undefined && issue.errors.length > 0) {
    const nearest = nearestBranch(issue.errors as z.core.$ZodRawIssue[][]);
    return nearest.flatMap((one) => validationIssues({ ...one, path: [...path, ...(one.path ?? [])] }, part));
  }
  const loc = [part, ...path.map((key) => (typeof key === "number" ? key : String(key)))];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ ...extra, loc: [...loc, key.slice(0, MAX_KEY)] }));
  const { type, msg, ctx } = issue.code === "invalid_union" ? noKind(issue) : messageFor(issue);
  return [ctx ? { type, loc, msg, ctx } : { type, loc, msg }];
}

/** Of a union without a value, or whose discriminator has none of its values. */
function noKind({ input, discriminator, options }: z.core.$ZodRawIssue): Message {
  if (typeof discriminator !== "string" || typeof input !== "object" || input === null) return missing;
  return notOneOf(options as unknown[], (input as Record<string, unknown>)[discriminator]);
}

/** The issues of the union branch whose type the value has; those of values that are listed, as one. */
function nearestBranch(branches: readonly z.core.$ZodRawIssue[][]): z.core.$ZodRawIssue[] {
  const listed = branches.flat().filter((issue) => issue.code === "invalid_value" && !issue.path?.length);
  if (listed.length === branches.length && branches.every(({ length }) => length === 1))
    return [{ ...listed[0]!, values: listed.flatMap(({ values }) => values as string[]) }];
  const otherType = (issue: z.core.$ZodRawIssue) => issue.code === "invalid_type" && issue.path?.length === 0;
  return branches.find((issues) => !issues.some(otherType)) ?? branches[0] ?? [];
}

function messageFor(issue: z.core.$ZodRawIssue): Message {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(String(issue.expected), issue.input);
    case "invalid_value":
      return notOneOf(issue.values as unknown[], issue.input);
    case "too_small":
    case "too_big":
      return ownMessage(issue) ?? outOfRange(issue);
    case "custom":
      return custom(issue);
    default:
      return { type: "value_error", msg: messageOf(issue) };
  }
}

const typeMessages: Record<string, Message> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  int: { type: "int_type", msg: "Input should be a valid integer" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  tuple: { type: "tuple_type", msg: "Input should be a valid tuple" },
  record: { type: "dict_type", msg: "Input should be a valid dictionary" },
  null: { type: "none_required", msg: "Input should be None" },
  object: {
    type: "model_attributes_type",
    msg: "Input should be a valid dictionary or object to extract fields from",
  },
};

function wrongType(expected: string, input: unknown): Message {
  if (input === undefined) return missing;
  if (typeof input === "number") {
    // 1e999 is valid JSON, and infinite.
    if (!Number.isFinite(input)) return { type: "finite_number", msg: "Input should be a finite number" };
    if (expected === "int") {
      return {
        type: "int_from_float",
        msg: "Input should be a valid integer, got a number with a fractional part",
      };
    }
  }
  return typeMessages[expected] ?? { type: "value_error", msg: `Input should be a valid ${expected}` };
}

const extra: Message = { type: "extra_forbidden", msg: "Extra inputs are not permitted" };

const missing: Message = { type: "missing", msg: "Field required" };

function notOneOf(values: readonly unknown[], input: unknown): Message {
  if (input === undefined) return missing;
  const quoted = values.map((value) => (typeof value === "string" ? `'${value}'` : String(value)));
  const last = quoted.pop() ?? "";
  const expected = quoted.length > 0 ? `${quoted.join(", ")} or ${last}` : last;
  return { type: "literal_error", msg: `Input should be ${expected}`, ctx: { expected } };
}

function outOfRange(issue: z.core.$ZodRawIssue): Message {
  const small = issue.code === "too_small";
  const bound = Number(small ? issue.minimum : issue.maximum);
  const plural = bound === 1 ? "" : "s";
  const least = small ? "at least" : "at most";
  if (issue.origin === "string") {
    return {
      type: small ? "string_too_short" : "string_too_long",
      msg: `String should have ${least} ${bound} character${plural}`,
      ctx: small ? { min_length: bound } : { max_length: bound },
    };
  }
  if (issue.origin === "array" || issue.origin === "set") {
    const length = (issue.input as unknown[]).length;
    const type = small ? "too_short" : "too_long";
    return {
      type,
      msg: `List should have ${least} ${bound} item${plural} after validation, not ${length}`,
      ctx: { field_type: "List", [small ? "min_length" : "max_length"]: bound, actual_length: length },
    };
  }
  const [type, words, key] = small
    ? issue.inclusive
      ? ["greater_than_equal", "greater than or equal to", "ge"]
      : ["greater_than", "greater than", "gt"]
    : issue.inclusive
      ? ["less_than_equal", "less than or equal to", "le"]
      : ["less_than", "less than", "lt"];
  return { type, msg: `Input should be ${words} ${bound}`, ctx: { [key]: bound } };
}

/** The message of a length or range check that has one of its own. */
function ownMessage(issue: z.core.$ZodRawIssue): Message | undefined {
  const definition = issue.inst?._zod.def as { error?: unknown } | undefined;
  if (!definition?.error) return undefined;
  return { ...outOfRange(issue), msg: messageOf(issue) };
}

/** `refine(…, { error, params: { type, ctx } })` names its own type. */
function custom(issue: z.core.$ZodRawIssue): Message {
  const params = issue.params as { type?: string; ctx?: Record<string, unknown> } | undefined;
  const msg = messageOf(issue);
  if (!params?.type) return { type: "value_error", msg: `Value error, ${msg}` };
  return { type: params.type, msg, ctx: params.ctx };
}

function messageOf(issue: z.core.$ZodRawIssue): string {
  return z.core.util.finalizeIssue(issue, undefined, z.config()).message;
}
