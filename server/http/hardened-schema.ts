import type { z } from "zod";
import { nextTurn } from "#server/platform/next-turn.ts";
import { MAX_ISSUES } from "./reply.ts";

/** How many more issues are worth finding; passed along in zod's own context. */
interface IssueBudget {
  left: number;
}

type RunContext = z.core.ParseContextInternal & { budget?: IssueBudget; checked?: ReadonlySet<unknown> };

/**
 * Checks a value against a hardened schema.
 *
 * @param checked Entries of lists that `checkLists` has replaced: they are not checked again.
 */
export function runOf(
  schema: z.ZodType,
  value: unknown,
  checked?: ReadonlySet<unknown>,
): z.core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, contextOf(checked));
  if (result instanceof Promise) throw new TypeError("A request schema must be synchronous");
  return result;
}

function contextOf(checked?: ReadonlySet<unknown>): RunContext {
  return {
    checked,
    async: false,
    // The message for an issue inside a union depends on what was sent.
    reportInput: true,
    budget: { left: MAX_ISSUES },
  };
}

/** Entries that are checked without a pause: about three milliseconds. */
const ENTRIES_PER_TURN = 1024;

/**
 * Checks the long lists of a body entry by entry, with pauses, and replaces each valid entry by what the schema makes of it.
 * What remains to be checked by `runOf` then takes a few milliseconds; it finds the issues.
 *
 * @param body Its lists are changed.
 * @returns The entries that are valid.
 */
export async function checkLists(schema: z.ZodType, body: unknown): Promise<ReadonlySet<unknown>> {
  const checked = new Set<unknown>();
  const { shape } = definitionOf(schema);
  if (!shape || typeof body !== "object" || body === null) return checked;
  for (const [name, field] of Object.entries(shape)) {
    const element = elementOf(field);
    const list = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (element && Array.isArray(list)) await checkList(element, list, checked);
  }
  return checked;
}

async function checkList(element: z.core.$ZodType, list: unknown[], checked: Set<unknown>): Promise<void> {
  const context = contextOf();
  for (let index = 0; index < list.length; index++) {
    if (index > 0 && index % ENTRIES_PER_TURN === 0) await nextTurn();
    const result = element._zod.run({ value: list[index], issues: [] }, context);
    if (context.budget!.left <= 0) return;
    // Equal numbers, texts and nulls are one value: they are checked again.
    if (result instanceof Promise || result.issues.length > 0 || !isObject(result.value)) continue;
    list[index] = result.value;
    checked.add(result.value);
  }
}

/**
 * Checks entries of a list of a schema, a part of the list at a time.
 *
 * @param name Of the list, a field of the schema.
 * @returns Called with entries; undefined where one of them is not valid.
 */
export function entryChecker<Entry>(
  schema: z.ZodType,
  name: string,
): (entries: readonly unknown[]) => Entry[] | undefined {
  const element = elementOf(definitionOf(schema).shape![name]!);
  return (entries) => {
    const valid: Entry[] = [];
    for (const value of entries) {
      const result = element!._zod.run({ value, issues: [] }, contextOf());
      if (result instanceof Promise || result.issues.length > 0) return undefined;
      valid.push(result.value as Entry);
    }
    return valid;
  };
}

/** Schema of the entries of a list, which may be optional or have a default; undefined for what is no list. */
function elementOf(field: z.core.$ZodType): z.core.$ZodType | undefined {
  let { element, innerType } = definitionOf(field);
  while (innerType) ({ element, innerType } = definitionOf(innerType));
  return element;
}

const isObject = (value: unknown) => typeof value === "object" && value !== null;

interface Definition {
  shape?: Record<string, z.core.$ZodType>;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  checks?: readonly z.core.$ZodCheck[];
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as Definition;
}

/**
 * Adapts a schema to hostile input: entries of lists are skipped once the budget of issues is spent, and the length of
 * a value is checked only where the value has one.
 */
export function harden(schema: z.core.$ZodType): void {
  if (hardened.has(schema)) return;
  hardened.add(schema);
  const definition = definitionOf(schema);
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
    const { budget, checked } = context;
    if (!budget) return run(payload, context);
    if (budget.left <= 0 || checked?.has(payload.value)) return payload;
    const result = run(payload, context);
    if (!(result instanceof Promise)) budget.left -= result.issues.length;
    return result;
  };
}

/** Schemas shared by several requests are adapted once. */
const hardened = new WeakSet<z.core.$ZodType>();
const budgeted = new WeakSet<z.core.$ZodType>();
