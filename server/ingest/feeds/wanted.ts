import type { FieldName } from "#lib/catalog/fields.ts";
import type { FieldRule, Selector, Source } from "#server/ingest/sources/source.ts";
import type { WantedMessage } from "./field-feed.ts";

/**
 * The messages from which a source derives fields in the standard way: the needs of the first choice of each rule, with
 * those of its other choices in their place.
 *
 * @param optional Fields whose messages may be absent.
 * @throws RangeError if the source has no rule for a field, so that a misspelt profile fails at once.
 */
export function wantedMessages(
  source: Source,
  fields: readonly FieldName[],
  optional: ReadonlySet<FieldName> = new Set(),
): WantedMessage[] {
  const wanted = new Map<string, WantedMessage>();
  for (const field of fields) {
    const rule = ruleOf(source, field);
    const [first = [], ...others] = rule.choices.map(({ needs }) =>
      needs.map((need) => messageOf(need, rule)),
    );
    for (const own of first) {
      const message = others.length > 0 ? { ...own, instead: others } : own;
      const key = `${message.element}:${message.level}:${message.time}`;
      // What one field must have is not optional because another field can do without.
      if (!optional.has(field)) wanted.set(key, message);
      else if (!wanted.has(key)) wanted.set(key, { ...message, optional: true });
    }
  }
  return [...wanted.values()];
}

/** The arrays of a store from which a source derives fields in the standard way. @throws RangeError as `wantedMessages`. */
export function wantedArrays(source: Source, fields: readonly FieldName[]): string[] {
  const needs = fields.flatMap((field) => ruleOf(source, field).choices[0]!.needs);
  return [...new Set(needs.flatMap((need) => (need.kind === "netcdf" ? [need.variable] : [])))];
}

/** What an array can be replaced by where a store lacks it, best first, by its name. */
export function arraysInstead({ rules }: Source): Record<string, string[]> {
  const names = (needs: readonly Selector[]) =>
    needs.flatMap((need) => (need.kind === "netcdf" ? [need.variable] : []));
  const alone = rules.map(({ choices }) => choices.map(({ needs }) => names(needs)));
  return Object.fromEntries(
    alone
      .filter((choices) => choices.length > 1 && choices.every(({ length }) => length === 1))
      .map((choices) => choices.flat())
      .map(([first, ...others]) => [first!, others]),
  );
}

function ruleOf(source: Source, field: FieldName): FieldRule {
  const rule = source.rules.find((rule) => rule.field === field);
  if (!rule) throw new RangeError(`The source ${source.name} has no rule for ${field}`);
  return rule;
}

/** @param rule What another of its choices needs may have the same words, and other numbers. */
function messageOf(need: Selector, { choices }: FieldRule): WantedMessage {
  if (need.kind !== "grib2") throw new RangeError(`${need.variable} is not a message of GRIB2`);
  const { element, alternatives } = need.parameter;
  const selectors = choices
    .flatMap(({ needs }) => needs)
    .filter((other) => other.kind === "grib2")
    .filter(
      ({ parameter, level, time }) =>
        parameter.element === element && level.words === need.level.words && time === need.time,
    );
  return {
    element,
    ...(alternatives && { alternatives }),
    level: need.level.words,
    time: need.time,
    selectors,
  };
}
