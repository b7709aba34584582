import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { mostIssues, type ValidationIssue } from "./errors.ts";
import { jsonErrorAt } from "./json-error.ts";
import { validationIssues } from "./validation-issue.ts";

export type Checked<T> = { ok: true; value: T } | { ok: false; issues: ValidationIssue[] };

/** How many more faults are worth looking for; travels with zod's own context. */
interface FaultBudget {
  left: number;
}

type RunContext = z.core.ParseContextInternal & { faults?: FaultBudget };

/**
 * Reads a JSON body.
 *
 * UTF-8 only, a byte order mark is skipped. An empty body is `missing`, as in FastAPI.
 */
export function parseJsonBody(bytes: Uint8Array): Checked<unknown> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) {
    return { ok: false, issues: [{ type: "missing", loc: ["body"], msg: "Field required" }] };
  }
  if (!isUtf8(buffer)) return { ok: false, issues: [jsonInvalid(0, "Text is not UTF-8")] };
  const text = buffer.toString("utf8", startsWithMark(buffer) ? 3 : 0);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const found = jsonErrorAt(text);
    return { ok: false, issues: [jsonInvalid(found?.position ?? 0, found?.reason ?? "Expecting value")] };
  }
}

/**
 * A checker of one part of a request against a schema. Make it once, at the start: it prepares the schema.
 *
 * Lists are looked at only until `mostIssues` faults are found: a hostile list of a million wrong entries costs no more
 * than a right one. The schema must be synchronous.
 *
 * @param part What `loc` begins with.
 */
export function checkerOf<Schema extends z.ZodType>(
  schema: Schema,
  part: "body" | "query",
): (input: unknown) => Checked<z.output<Schema>> {
  stopAtBudget(schema);
  return (input) => {
    const context: RunContext = {
      async: false,
      // The words for a fault inside a choice depend on what was sent.
      reportInput: true,
      faults: { left: mostIssues },
    };
    const result = schema._zod.run({ value: input, issues: [] }, context);
    if (result instanceof Promise) throw new TypeError("A request schema must be synchronous");
    if (result.issues.length === 0) return { ok: true, value: result.value as z.output<Schema> };
    return {
      ok: false,
      issues: result.issues.flatMap((issue) => validationIssues(issue, part)).slice(0, mostIssues),
    };
  };
}

/** Wraps the entries of every list of a schema, so that they are skipped once the budget of faults is spent. */
function stopAtBudget(schema: z.core.$ZodType): void {
  const definition = schema._zod.def as {
    shape?: Record<string, z.core.$ZodType>;
    innerType?: z.core.$ZodType;
    element?: z.core.$ZodType;
  };
  if (definition.shape) for (const field of Object.values(definition.shape)) stopAtBudget(field);
  if (definition.innerType) stopAtBudget(definition.innerType);
  const entry = definition.element;
  if (!entry || wrapped.has(entry)) return;
  wrapped.add(entry);
  stopAtBudget(entry);
  const run = entry._zod.run;
  entry._zod.run = (payload, context: RunContext) => {
    const faults = context.faults;
    if (!faults) return run(payload, context);
    if (faults.left <= 0) return payload;
    const result = run(payload, context);
    if (!(result instanceof Promise)) faults.left -= result.issues.length;
    return result;
  };
}

/** Schemas shared by several requests are wrapped once. */
const wrapped = new WeakSet<z.core.$ZodType>();

/** `?a=1&b=2` as the object that a query schema checks; of a repeated name the last value counts, as in FastAPI. */
export function queryObject(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(query);
}

function startsWithMark(buffer: Buffer): boolean {
  return buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
}

function jsonInvalid(position: number, error: string): ValidationIssue {
  return { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", ctx: { error } };
}
