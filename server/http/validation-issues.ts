// This module describes invalid requests in the words of pydantic v2, which clients of FastAPI know.

import { z } from "zod";
import type { ValidationIssue } from "./reply.ts";

/** Maximum number of characters of an unknown name in a message. */
const MAX_KEY = 40;

type Message = Omit<ValidationIssue, "loc">;

/**
 * Translates a zod issue into the type, location and message of pydantic v2; the nearest branch of a union may give
 * several.
 */
export function validationIssues(issue: z.core.$ZodRawIssue, part: "body" | "query"): ValidationIssue[] {
  const path = issue.path ?? [];
  // An object that should be a list has already been reported for its type, so its length is not.
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

/** Reports a union without a value, or with a discriminator that has none of its values. */
function noKind({ input, discriminator, options }: z.core.$ZodRawIssue): Message {
  if (typeof discriminator !== "string" || typeof input !== "object" || input === null) return missing;
  return notOneOf(options as unknown[], (input as Record<string, unknown>)[discriminator]);
}

/** Returns the issues of the union branch whose type the value has; issues of enumerated values become one. */
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

/** The engine's errors in the words of Python's decoder, which clients of FastAPI know. The engine's own may quote the input. */
const syntaxErrors: readonly [RegExp, string][] = [
  [/^Expected (?:property name|double-quoted)/, "Expecting property name enclosed in double quotes"],
  [/^Expected ','/, "Expecting ',' delimiter"],
  [/^Expected ':'/, "Expecting ':' delimiter"],
  [/^Unterminated string|^Bad /, "Invalid or unterminated string"],
  [/^Unexpected non-whitespace/, "Extra data"],
];

/** A body that is no JSON. @param length Characters of its text. */
export function syntaxIssue({ message }: SyntaxError, length: number): ValidationIssue {
  const position = / in JSON at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1];
  const atEnd = message.startsWith("Unexpected end") ? length : 0;
  const known = syntaxErrors.find(([pattern]) => pattern.test(message));
  return jsonIssue(position === undefined ? atEnd : Number(position), known?.[1] ?? "Expecting value");
}

/** @param position Where the body ceases to be JSON, characters. */
export function jsonIssue(position: number, error: string): ValidationIssue {
  return { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", ctx: { error } };
}
