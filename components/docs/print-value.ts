/** How a language writes values. */
interface Style {
  constants: Readonly<Record<"true" | "false" | "null", string>>;
  /** The name of a field, without the colon. */
  key(name: string): string;
  /** After the last entry of a list that takes several lines. */
  lastComma: string;
}

const quoted = (name: string) => JSON.stringify(name);

const json: Style = { constants: { true: "true", false: "false", null: "null" }, key: quoted, lastComma: "" };

/** Values as each language writes them. */
export const styles = {
  json,
  typescript: {
    ...json,
    key: (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)),
    lastComma: ",",
  },
  python: {
    constants: { true: "True", false: "False", null: "None" },
    key: quoted,
    lastComma: ",",
  },
} as const satisfies Record<string, Style>;

/** What fits into one line, characters. */
const WIDTH = 72;

/** Writes a JSON value: what is short in one line, the rest with an entry a line. @param indent Spaces before its lines. */
export function printValue(value: unknown, style: Style = json, indent = 0): string {
  if (typeof value !== "object" || value === null) return scalar(value, style);
  const inline = inOneLine(value, style, WIDTH - indent);
  if (inline !== undefined) return inline;
  const inner = " ".repeat(indent + 2);
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((entry) => inner + printValue(entry, style, indent + 2))
    : Object.entries(value).map(
        ([name, entry]) => `${inner}${style.key(name)}: ${printValue(entry, style, indent + 2)}`,
      );
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}${style.lastComma}\n${" ".repeat(indent)}${close}`;
}

/** @returns undefined where it takes more than so many characters; no more of it is written than that. */
function inOneLine(value: object, style: Style, width: number): string | undefined {
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let left = width;
  for (const [name, entry] of Object.entries(value)) {
    const shown =
      typeof entry === "object" && entry !== null ? inOneLine(entry, style, left) : scalar(entry, style);
    if (shown === undefined) return undefined;
    const part = isList ? shown : `${style.key(name)}: ${shown}`;
    left -= part.length + 2;
    if (left < 0) return undefined;
    parts.push(part);
  }
  if (isList) return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function scalar(value: unknown, { constants }: Style): string {
  if (value === true) return constants.true;
  if (value === false) return constants.false;
  if (value === null || value === undefined) return constants.null;
  return JSON.stringify(value);
}
