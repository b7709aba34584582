import { printValue, styles } from "./print-value.ts";
import type { PlainRequest } from "./request-form.ts";

/** Languages of the snippets. */
export const snippetLanguages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;

export type SnippetLanguage = keyof typeof snippetLanguages;

/** Where a program finds its key. */
export const KEY_VARIABLE = "METOCEAN_KEY";

/**
 * A program that sends a request and prints the answer or writes it to a file, with nothing but what the language brings.
 *
 * @param origin Of the service, `https://weather.example.org`.
 */
export function snippetOf(language: SnippetLanguage, request: PlainRequest, origin: string): string {
  return { curl, typescript, python }[language](request, `${origin}${request.target}`);
}

/** The body as a value; the text itself where it is not JSON. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function curl({ method, headers, body, needsKey, answer, fileName }: PlainRequest, url: string): string {
  const isPlain = method === "GET" || (method === "POST" && body !== undefined);
  const lines = [
    `curl --fail-with-body${isPlain ? "" : ` -X ${method}`} ${shell(url)}`,
    ...(needsKey ? [`-H "x-api-key: $${KEY_VARIABLE}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shell(body)}`]),
    ...(answer === "file" ? [`-o ${fileName}`] : []),
  ];
  return lines.join(" \\\n  ");
}

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

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
