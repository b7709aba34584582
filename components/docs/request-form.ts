import { curlOf, KEY_VARIABLE } from "#components/api-client/curl.ts";
import type { DescribedOperation } from "#lib/contract/described-api.ts";
import { formatOf } from "#lib/contract/media-types.ts";

const JSON_TYPE = "application/json";

/** Values in the form of an operation. */
export interface RequestForm {
  /** Values by parameter name; empty ones are not sent. */
  parameters: Readonly<Record<string, string>>;
  /** Text of the body; empty if the operation has none. */
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
  /** Kind of the answer; `none` for an operation that answers without a body. */
  answer: "json" | "text" | "file" | "none";
  /** Name of a file with the answer. */
  fileName: string;
}

/** A form filled with the operation's examples. */
export function exampleForm({ parameters, body, formats }: DescribedOperation): RequestForm {
  return {
    parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
    body: body ? printValue(body.example) : "",
    accept: formats[0] ?? JSON_TYPE,
  };
}

/** The request that a form describes. Its path contains `{name}` if a value is missing. */
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
    // A reply that may be empty is not always JSON.
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

export const snippetLanguages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;

export type SnippetLanguage = keyof typeof snippetLanguages;

/**
 * A program that sends a request and prints the answer or writes it to a file, using only what the language
 * includes.
 *
 * @param origin Origin of the service, `https://weather.example.org`.
 */
export function snippetOf(language: SnippetLanguage, request: PlainRequest, origin: string): string {
  const url = `${origin}${request.target}`;
  if (language === "curl")
    return curlOf({ ...request, url, fileName: request.answer === "file" ? request.fileName : undefined });
  return { typescript, python }[language](request, url);
}

/** The body as a value, or its text if it is not JSON. */
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
  const all = [
    ...(needsKey ? [`"x-api-key": process.env.${KEY_VARIABLE}!`] : []),
    ...Object.entries(headers).map((pair) => pair.map(quoted).join(": ")),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(all.length === 0 ? [] : [`headers: {\n${linesIn(all, 4)}  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${printValue(readBody(body), quoted, 2)})`]),
  ];
  const sent = options.length === 0 ? "" : `, {\n${linesIn(options, 2)}}`;
  return [
    ...(answer === "file" ? ['import { writeFile } from "node:fs/promises";', ""] : []),
    `const reply = await fetch(${quoted(url)}${sent});`,
    `if (!reply.ok) throw new Error(\`\${reply.status} \${await reply.text()}\`);`,
    {
      json: "console.log(await reply.json());",
      text: "console.log(await reply.text());",
      file: `await writeFile("${fileName}", await reply.bytes());`,
      none: "console.log(reply.status);",
    }[answer],
  ].join("\n");
}

function python({ method, headers, body, needsKey, answer, fileName }: PlainRequest, url: string): string {
  const all = [
    ...(needsKey ? [`"x-api-key": os.environ["${KEY_VARIABLE}"]`] : []),
    ...Object.entries(headers).map((pair) => pair.map(quoted).join(": ")),
  ];
  const options = [
    quoted(url),
    ...(method === "GET" ? [] : [`method="${method}"`]),
    ...(all.length === 0 ? [] : [`headers={\n${linesIn(all, 8)}    }`]),
    ...(body === undefined ? [] : ["data=json.dumps(body).encode()"]),
  ];
  const print = {
    json: "print(json.load(reply))",
    text: "print(reply.read().decode())",
    file: `open("${fileName}", "wb").write(reply.read())`,
    none: "print(reply.status)",
  }[answer];
  return [
    ...(body !== undefined || answer === "json" ? ["import json"] : []),
    ...(needsKey ? ["import os"] : []),
    "from urllib.request import Request, urlopen",
    "",
    ...(body === undefined ? [] : [`body = ${printValue(readBody(body), inPython)}`]),
    `request = Request(\n${linesIn(options, 4)})`,
    "with urlopen(request) as reply:",
    `    ${print}`,
  ].join("\n");
}

const linesIn = (lines: readonly string[], indent: number) =>
  lines.map((line) => `${" ".repeat(indent)}${line},\n`).join("");

/** Writes a scalar in JSON, which is also valid TypeScript. Python has other words for three of them. */
const quoted = (value: unknown): string => JSON.stringify(value);
const inPython = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : quoted(value);
};

/** Longest value that is written on one line, characters. */
const WIDTH = 72;

/**
 * Writes a JSON value: short ones on one line, others with one entry per line.
 *
 * @param scalar Writes values that are neither a list nor an object.
 * @param indent Spaces before its lines.
 */
export function printValue(value: unknown, scalar = quoted, indent = 0): string {
  const inline = inOneLine(value, scalar);
  if (typeof value !== "object" || value === null || inline.length + indent <= WIDTH) return inline;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const inner = " ".repeat(indent + 2);
  const lines = Object.entries(value).map(([name, entry]) => {
    const written = printValue(entry, scalar, indent + 2);
    return Array.isArray(value) ? inner + written : `${inner}${quoted(name)}: ${written}`;
  });
  return `${open}\n${lines.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function inOneLine(value: unknown, scalar: (value: unknown) => string): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  if (Array.isArray(value)) return `[${value.map((entry) => inOneLine(entry, scalar)).join(", ")}]`;
  const parts = Object.entries(value).map(([name, entry]) => `${quoted(name)}: ${inOneLine(entry, scalar)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** The value at a JSON pointer; for an address its last part, such as the token in a calendar's address. */
export function pointedId(reply: unknown, pointer: string): string | undefined {
  const found = pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, name) => Object(at)[name], reply);
  return typeof found === "string" ? found.slice(found.lastIndexOf("/") + 1) : undefined;
}
