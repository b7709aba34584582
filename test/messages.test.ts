import { readFileSync } from "node:fs";
import path from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { mails } from "#lib/messages/generated/mails.ts";
import { type Language, languages } from "#lib/messages/language.ts";
import { argumentsOf } from "#scripts/message-arguments.ts";
import { de, en, ja } from "./all-words.ts";

type Member = string | string[] | number | boolean | { [name: string]: Member };

const folder = path.join(import.meta.dirname, "..", "lib", "messages");
const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(folder, file), "utf8")) as T;

/** The messages and lists of a language by their paths: `watches.message.over`. */
function messagesOf(language: string): Map<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  const visit = (member: Member, at: string) => {
    if (typeof member === "string" || Array.isArray(member)) found.set(at, member);
    else if (typeof member === "object")
      for (const [name, of] of Object.entries(member)) visit(of, at ? `${at}.${name}` : name);
  };
  visit(read(`${language}.json`), "");
  return found;
}

const english = messagesOf("en");

/**
 * One term for each thing: where English has the term, a message in each language contains a word with one of these
 * beginnings.
 */
const glossary =
  read<({ en: string; except?: string } & Partial<Record<Language, string[]>>)[]>("glossary.json");

/** Messages with a sign that is not punctuation: the key `?`, the `;` between the cells of a table. */
const withSigns = new Set(["screen.hint.text", "passage.outlook.vessel.text"]);

/** Characters that a language's typography does not use. An ordinary space may end a line. */
const notWritten: Record<Language, RegExp> = {
  en: / [;:!?…]|[«»„’]/,
  fr: / [;:!?»%…]|« |'|[“”„]|[^\s\u00a0\u202f][;!?»]/,
  es: / [;:!?%…»]|« |'|[“”„]/,
  de: / [;:!?%]|[a-zäöüß]…|'|[«»”]/,
  pt: / [;:!?%…]|'|[«»„]/,
  ja: /[ぁ-ヶ一-龠][,;:!?]|[,;:!?][ぁ-ヶ一-龠]|[“”«»']/,
  zh: /[一-龠][,;:!?]|[,;:!?][一-龠]|[「」«»']/,
};

/** Lists whose length may differ between languages: typed names of days. */
const isOpen = (at: string) => at.startsWith("dates.typedDays.");

/** A title in lower case is the same value as the title. */
const valueNamed = (name: string) => (name === "lowerTitle" ? "title" : name);

const shownIn = (message: string) =>
  [...argumentsOf(message)].filter(([, { isShown }]) => isShown).map(([name]) => valueNamed(name));

/** All elements of a message, including those within selects and plurals. */
function elementsIn(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) =>
    element.type === TYPE.select || element.type === TYPE.plural
      ? [element, ...Object.values(element.options).flatMap(({ value }) => elementsIn(value))]
      : [element],
  );
}

const literalsOf = (elements: readonly MessageFormatElement[]) =>
  elementsIn(elements).flatMap((element) => (element.type === TYPE.literal ? [element.value] : []));

const textsIn = (message: string) => literalsOf(parse(message));

const pluralsIn = (message: string) =>
  elementsIn(parse(message)).flatMap((element) => (element.type === TYPE.plural ? [element.options] : []));

describe.each(languages)("the messages in %s", (language) => {
  const messages = messagesOf(language);
  const written = [...messages].filter((one): one is [string, string] => typeof one[1] === "string");

  it("are those of English, each in ICU MessageFormat and not empty", () => {
    const missing = [...english.keys()].filter((at) => !isOpen(at) && !messages.has(at));
    const foreign = [...messages.keys()].filter((at) => !isOpen(at) && !english.has(at));
    expect({ missing, foreign }).toEqual({ missing: [], foreign: [] });
  });

  it("show the values that English shows, and distinguish by no others", () => {
    const wrong = written.flatMap(([at, message]) => {
      const model = english.get(at);
      if (typeof model !== "string") return [];
      const names = new Set([...argumentsOf(model).keys()].map(valueNamed));
      const unknown = [...argumentsOf(message).keys()].filter((name) => !names.has(valueNamed(name)));
      // A language may name each of a few choices itself. Whether a value exists is not such a choice.
      const selected = [...argumentsOf(message)]
        .filter(([, { keys }]) => [...(keys ?? [])].some((key) => key !== "undefined" && key !== "null"))
        .map(([name]) => valueNamed(name));
      const told = new Set([...shownIn(message), ...selected]);
      const left = shownIn(model).filter((name) => !told.has(name));
      return unknown.length + left.length > 0 ? [`${at}: ${[...unknown, ...left].join()} in ${message}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("have the plural forms of the language, and no number written in words in a form for several", () => {
    const rules = new Intl.PluralRules(language);
    const known: readonly string[] = rules.resolvedOptions().pluralCategories;
    // In French and Portuguese 0 has the same form as 1.
    const isOneOnly = rules.select(0) !== "one";
    const isWrong = (options: ReturnType<typeof pluralsIn>[number]) =>
      Object.keys(options).some((form) => !form.startsWith("=") && !known.includes(form)) ||
      (!isOneOnly && /(?<!\d)1(?!\d)/.test(literalsOf(options.one?.value ?? []).join(" ")));
    expect(written.filter(([, message]) => pluralsIn(message).some(isWrong))).toEqual([]);
  });

  it("have the typography of the language", () => {
    const isWrong = (text: string) => notWritten[language].test(text) || /"| {2}|\.\.\.|[\t\n]/.test(text);
    const wrong = written.filter(([at, message]) => !withSigns.has(at) && textsIn(message).some(isWrong));
    expect(wrong).toEqual([]);
  });

  it("call each thing by its one term", () => {
    const wrong = glossary.flatMap(({ en, except, ...terms }) => {
      const isTerm = new RegExp(`\\b${en}s?\\b`, "i");
      const written = (terms as Partial<Record<Language, string[]>>)[language];
      if (!written) return [];
      return [...english].flatMap(([at, model]) => {
        const message = messages.get(at);
        if (typeof model !== "string" || typeof message !== "string") return [];
        const text = textsIn(model).join("…");
        if (!isTerm.test(except ? text.replace(new RegExp(except, "gi"), "") : text)) return [];
        const own = textsIn(message).join("…").toLowerCase();
        return written.some((term) => own.includes(term.toLowerCase())) ? [] : [`${en}: ${at}: ${message}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

it("notes belong to messages, or to groups of them", () => {
  const paths = [...english.keys()];
  const foreign = Object.keys(read<object>("notes.json")).filter(
    (at) => !paths.some((path) => path === at || path.startsWith(`${at}.`)),
  );
  expect(foreign.filter((at) => !isOpen(`${at}.`) && at !== "dates.monthFirst")).toEqual([]);
});

it("English titles are those of the table of variables", () => {
  const { catalog } = read<{ catalog: Record<string, Record<string, string>> }>("en.json");
  for (const name of variableNames) {
    const { title, outputs, layer, mention } = variable(name);
    expect(catalog.variables![name]).toBe(layer === false ? title : undefined);
    for (const output of outputs) expect(catalog.outputs![output.point]).toBe(output.title);
    expect(catalog.layers![name]).toBe(layer === false ? undefined : (layer?.name ?? title));
    expect(catalog.mentions![name]).toBe(mention ? mention.as : undefined);
    expect(catalog.lines![name]).toBe((layer || undefined)?.isolines?.title);
  }
});

it("the types match the catalogs: `node scripts/setup.mjs` makes them", () => {
  const at = (words: object, name: string) => (words as Record<string, unknown>)[name];
  for (const [language, words] of Object.entries({ en, de, ja }))
    for (const [path, message] of messagesOf(language)) {
      const [part = "", ...names] = path.split(".");
      const found = names.reduce<unknown>(
        (group, name) => at(group as object, name),
        at(words, part) ?? mails[language as Language],
      );
      expect([path, typeof found]).toEqual([
        path,
        Array.isArray(message) ? "object" : argumentsOf(message).size > 0 ? "function" : "string",
      ]);
    }
});
