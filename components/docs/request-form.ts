import { curlOf, KEY_VARIABLE } from "#components/api-client/curl.ts";
import type { DescribedOperation } from "#lib/contract/described-api.ts";
import { formatOf } from "#lib/contract/media-types.ts";

const JSON_TYPE = "application/json";

/** What is in the form of an operation. */
export interface RequestForm {
  /** By name; empty ones are left out. */
  parameters: Readonly<Record<string, string>>;
  /** Text of the body; empty where the operation has none. */
  body: string;
  /** Media type. */
  accept: string;
}

/** A request, without key and host. */
export interface PlainRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Text of the body. */
  body?: string;
  needsKey: boolean;
  /** What the answer is: none for an operation that answers without a body. */
  answer: "json" | "text" | "file" | "none";
  /** Name for a file of the answer. */
  fileName: string;
}

/** The example. */
export function exampleForm({ parameters, body, formats }: DescribedOperation): RequestForm {
  return {
    parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
    body: body ? printValue(body.example) : "",
    accept: formats[0] ?? JSON_TYPE,
  };
}

/** The request that a form stands for. A path has `{name}` where a value is missing. */
export function requestOf(operation: DescribedOperation, form: RequestForm): PlainRequest {
  const { method, path, parameters, body, formats, replies, needsKey, slug } = operation;
  const given = (place: string) =>
    parameters.flatMap(({ name, in: at }) => {
      const value = form.parameters[name]?.trim() ?? "";
      return at === place && value !== "" ? [[name, value] as const] : [];
    });
  const filled = given("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  );
  const query = given("query")
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&");
  const isDefault = form.accept === (formats[0] ?? JSON_TYPE) && form.accept === JSON_TYPE;
  const { extension, text = false } = formatOf(form.accept);
  const answerOf = (): PlainRequest["answer"] => {
    if (formats.length === 0) return "none";
    // One that may be empty is no JSON then.
    const mayBeEmpty = replies.some(({ status }) => status === "204");
    if (form.accept === JSON_TYPE && !mayBeEmpty) return "json";
    return text ? "text" : "file";
  };
  return {
    method,
    target: query === "" ? filled : `${filled}?${query}`,
    headers: {
      ...(body && { "content-type": JSON_TYPE }),
      ...(!isDefault && { accept: form.accept }),
      ...Object.fromEntries(given("header").map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(body && { body: form.body }),
    needsKey,
    answer: answerOf(),
    fileName: `${slug}.${extension}`,
  };
}

/** Languages of the snippets. */
export const snippetLanguages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;

export type SnippetLanguage = keyof typeof snippetLanguages;

/**
 * A program that sends a request and prints the answer or writes it to a file, with nothing but what the language brings.
 *
 * @param origin Of the service, `https://weather.example.org`.
 */
export function snippetOf(language: SnippetLanguage, request: PlainRequest, origin: string): string {
  const url = `${origin}${request.target}`;
  if (language === "curl")
    return curlOf({ ...request, url, fileName: request.answer === "file" ? request.fileName : undefined });
  return { typescript, python }[language](request, url);
}

/** The body as a value; the text itself where it is not JSON. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function typescript(
  { method, headers, body, needsKey, answer, fileName }: PlainRequest,
  url: string,
): string {
  const { key } = styles.typescript;
  const all = [
    ...(needsKey ? [`"x-api-key": process.env.${KEY_VARIABLE}!`] : []),
    ...Object.entries(headers).map(([name, value]) => `${key(name)}: ${JSON.stringify(value)}`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(all.length === 0 ? [] : [`headers: {\n${all.map((line) => `    ${line},\n`).join("")}  }`]),
    ...(body === undefined
      ? []
      : [`body: JSON.stringify(${printValue(readBody(body), styles.typescript, 2)})`]),
  ];
  const sent = options.length === 0 ? "" : `, {\n${options.map((line) => `  ${line},\n`).join("")}}`;
  const lines = [
    `const reply = await fetch(${JSON.stringify(url)}${sent});`,
    `if (!reply.ok) throw new Error(\`\${reply.status} \${await reply.text()}\`);`,
    {
      json: "console.log(await reply.json());",
      text: "console.log(await reply.text());",
      file: `await writeFile("${fileName}", await reply.bytes());`,
      none: "console.log(reply.status);",
    }[answer],
  ];
  return [...(answer === "file" ? ['import { writeFile } from "node:fs/promises";', ""] : []), ...lines].join(
    "\n",
  );
}

function python({ method, headers, body, needsKey, answer, fileName }: PlainRequest, url: string): string {
  const all = [
    ...(needsKey ? [`"x-api-key": os.environ["${KEY_VARIABLE}"]`] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const imports = [
    ...(body !== undefined || answer === "json" ? ["import json"] : []),
    ...(needsKey ? ["import os"] : []),
    "from urllib.request import Request, urlopen",
  ];
  const options = [
    JSON.stringify(url),
    ...(method === "GET" ? [] : [`method="${method}"`]),
    ...(all.length === 0 ? [] : [`headers={\n${all.map((line) => `        ${line},\n`).join("")}    }`]),
    ...(body === undefined ? [] : ["data=json.dumps(body).encode()"]),
  ];
  return [
    ...imports,
    "",
    ...(body === undefined ? [] : [`body = ${printValue(readBody(body), styles.python)}`]),
    `request = Request(\n${options.map((line) => `    ${line},\n`).join("")})`,
    "with urlopen(request) as reply:",
    `    ${
      {
        json: "print(json.load(reply))",
        text: "print(reply.read().decode())",
        file: `open("${fileName}", "wb").write(reply.read())`,
        none: "print(reply.status)",
      }[answer]
    }`,
  ].join("\n");
}

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

/** What a JSON pointer finds; of an address its last part, such as the token in that of a calendar. */
export function pointedId(reply: unknown, pointer: string): string | undefined {
  const found = pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, name) => Object(at)[name], reply);
  return typeof found === "string" ? found.slice(found.lastIndexOf("/") + 1) : undefined;
}
