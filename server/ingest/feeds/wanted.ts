import type { FieldName } from "#lib/catalog/fields.ts";
import type { Source } from "#server/ingest/sources/source.ts";
import type { WantedMessage } from "./field-feed.ts";

/**
 * The messages from which a source derives fields in the standard way: the needs of the first choice of each rule.
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
    const first = source.rules.find((rule) => rule.field === field)?.choices[0];
    if (!first) throw new RangeError(`The source ${source.name} has no rule for ${field}`);
    for (const need of first.needs) {
      if (need.kind !== "grib2") throw new RangeError(`${field} of ${source.name} is not derived from GRIB2`);
      const { element, alternatives } = need.parameter;
      const message: WantedMessage = {
        element,
        ...(alternatives && { alternatives }),
        level: need.level.words,
        time: need.time,
      };
      const key = `${message.element}:${message.level}:${message.time}`;
      // What one field must have is not optional because another field can do without.
      if (!optional.has(field)) wanted.set(key, message);
      else if (!wanted.has(key)) wanted.set(key, { ...message, optional: true });
    }
  }
  return [...wanted.values()];
}
