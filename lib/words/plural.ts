import type { Language } from "./language.ts";

const rules = new Map<Language, Intl.PluralRules>();

/**
 * The form of a noun for a number, by the rules of Unicode's CLDR.
 *
 * @param forms `one` also stands for 0 in French and Portuguese; Japanese and Chinese have `other` alone.
 */
export function plural<Form>(language: Language, count: number, forms: { one?: Form; other: Form }): Form {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule.select(count) === "one" ? (forms.one ?? forms.other) : forms.other;
}
