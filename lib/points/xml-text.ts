import { XMLParser } from "fast-xml-parser";

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text between two tags: CDATA as it is, elsewhere the five named characters and numbered ones; no other entity is read. */
export function xmlText(text: string): string {
  return text
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part) => (part.startsWith("<![CDATA[") ? part.slice(9, -3) : plainText(part)))
    .join("");
}

function plainText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    return isCharacter ? String.fromCodePoint(code) : "";
  });
}

/** A parser of files from outside: entities are not expanded, and every value stays text. @param repeated Elements that are lists. */
export function xmlParser(repeated: ReadonlySet<string>): XMLParser {
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseAttributeValue: false,
    parseTagValue: false,
    processEntities: false,
    removeNSPrefix: true,
    isArray: (name) => repeated.has(name),
  });
}
