import { XMLParser } from "fast-xml-parser";
import { TextCutError, TextRefusedError } from "./message.ts";

/** Reads a property by its path of names, from a value that may not be an object or may lack it. */
export function propertyOf(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** A trimmed string, if it is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The entries of a value that may be a list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Maximum depth of nested elements; a telegram of the JMA has 12, an outlook of NHC as KML 9. */
const MAX_DEPTH = 40;

/**
 * A reader of one kind of XML. Attributes are properties whose names begin with `@`, the text of an element with attributes
 * is `#text`, and nothing is converted to numbers.
 *
 * Entities are neither declared nor expanded, a document type is refused, and depth is limited before the parser runs.
 *
 * @param what Kind of document in error messages: `telegram`.
 * @param isList Whether elements of a name are a list, also where there is one.
 * @returns Throws TextRefusedError for what is not well-formed, TextCutError for what ends in the middle.
 */
export function xmlReader(what: string, isList: (name: string) => boolean): (text: string) => unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    removeNSPrefix: true,
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    isArray: isList,
  });
  return (text) => {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new TextRefusedError(`a ${what} with a document type`);
    refuseDepth(text, what);
    try {
      return parser.parse(text, true) as unknown;
    } catch (error) {
      throw new TextRefusedError(`no well-formed ${what}: ${(error as Error).message.slice(0, 120)}`);
    }
  };
}

/** Text of an element, with attributes or without. */
export function contentOf(element: unknown): string | undefined {
  return textOf(element) ?? textOf(propertyOf(element, "#text"));
}

/**
 * The parser is recursive and compares the attributes of a tag with each other: depth and length are limited before it runs.
 * Every character is looked at once.
 */
function refuseDepth(text: string, what: string): void {
  let depth = 0;
  let elements = 0;
  for (let open = text.indexOf("<"); open >= 0; ) {
    const end = endOfTag(text, open, what);
    if (text.startsWith("</", open)) depth--;
    else if (!/^<[?!]/.test(text.slice(open, open + 2)) && text[end - 2] !== "/") {
      depth++;
      elements++;
    }
    if (depth > MAX_DEPTH) throw new TextRefusedError(`a ${what} with elements nested too deep`);
    open = text.indexOf("<", end);
  }
  if (elements === 0) throw new TextCutError(`the ${what} has no element`);
  if (depth > 0) throw new TextCutError(`${depth} elements of the ${what} have no end`);
}

/** Marks that are not elements, and the text that ends each. Between the two any text may stand, even `<`. */
const sections = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/**
 * @returns The index behind the tag, comment or section that begins at `open`.
 * @throws TextRefusedError if it does not end, or a tag is too long.
 */
function endOfTag(text: string, open: number, what: string): number {
  for (const [begin, end] of sections) {
    if (!text.startsWith(begin, open)) continue;
    const found = text.indexOf(end, open + begin.length);
    if (found < 0) throw new TextCutError(`"${begin}" of the ${what} has no end`);
    return found + end.length;
  }
  tagEnd.lastIndex = open;
  if (!tagEnd.test(text)) {
    if (text.indexOf(">", open) < 0) throw new TextCutError(`a tag of the ${what} has no end`);
    throw new TextRefusedError(`no well-formed ${what}: a tag has no end or is too long`);
  }
  return tagEnd.lastIndex;
}

/** A tag. Quotes may contain `>`. The longest tag of a telegram has 153 characters. */
const tagEnd = /<(?:"[^"]{0,1000}"|'[^']{0,1000}'|[^"'<>]){0,1000}>/y;
