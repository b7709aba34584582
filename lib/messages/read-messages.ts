import format, { type CompiledMessage } from "icu-minify/format";
import type { Language } from "./language.ts";
import { formatNumber } from "./number.ts";

/** A message or list of texts compiled by `scripts/messages.ts`, or a group of them. */
type Compiled =
  | CompiledMessage
  | readonly string[]
  | number
  | boolean
  | { readonly [name: string]: Compiled };

/**
 * The messages of a language: texts and lists as they are, messages with arguments as functions of one
 * object.
 *
 * @typeParam Messages Type of the messages, generated from the catalogs.
 */
export function readMessages<Messages>(language: Language, compiled: Compiled): Messages {
  return read(language, compiled) as Messages;
}

function read(language: Language, compiled: Compiled): unknown {
  if (typeof compiled !== "object") return compiled;
  if (!Array.isArray(compiled))
    return Object.fromEntries(Object.entries(compiled).map(([name, of]) => [name, read(language, of)]));
  if (compiled.every((one) => typeof one === "string")) return compiled;
  const message = withoutPrototypes(compiled as CompiledMessage);
  return (values: Record<string, string | number>) => format(message, language, values, { formatters });
}

/** Without prototypes a select on a name such as `constructor` does not find a member of Object. */
function withoutPrototypes<Part>(part: Part): Part {
  if (typeof part !== "object" || part === null) return part;
  if (!Array.isArray(part)) Object.setPrototypeOf(part, null);
  for (const member of Object.values(part)) withoutPrototypes(member);
  return part;
}

const rules = new Map<string, Intl.PluralRules>();

/**
 * Numbers in messages are formatted like all others of the page, because browsers have different versions of
 * CLDR. Plural rules do not differ between versions.
 */
const formatters = {
  getNumberFormat: (language: string) =>
    ({ format: (value: number) => formatNumber(value, 0, language as Language) }) as Intl.NumberFormat,
  getPluralRules(language: string, options?: Intl.PluralRulesOptions) {
    const key = `${language} ${options?.type}`;
    const known = rules.get(key) ?? new Intl.PluralRules(language, options);
    rules.set(key, known);
    return known;
  },
  getDateTimeFormat(): never {
    throw new Error("Times are written by components/view-state/format-time.ts");
  },
} as Parameters<typeof format>[3]["formatters"];
