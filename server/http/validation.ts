import { isUtf8 } from "node:buffer";
import { z } from "zod";
import type { ApiRequest } from "./api-request.ts";
import { detailReply, HttpError, invalid, MAX_ISSUES, type ValidationIssue } from "./reply.ts";
import { jsonIssue, syntaxIssue, validationIssues } from "./validation-issues.ts";

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

/**
 * Parses a JSON body.
 *
 * UTF-8 only, a byte order mark is skipped. An empty body is `missing`, as in FastAPI. Throws `HttpError` of 422.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) throw invalid({ type: "missing", loc: ["body"], msg: "Field required" });
  if (!isUtf8(buffer)) throw invalid(jsonIssue(0, "Text is not UTF-8"));
  const text = withoutByteOrderMark(buffer).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(syntaxIssue(error, text.length));
  }
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
/**
 * Number of entries of a longer list that are checked first. They are chosen at random, so that no caller can place
 * wrong entries between them.
 */
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
