import type { DescribedOperation } from "#lib/contract/described-api.ts";
import { mediaTypeNames } from "#lib/contract/media-types.ts";
import { printValue } from "./print-value.ts";

export const JSON_TYPE = "application/json";

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
  const { extension = "bin", text = false } = mediaTypeNames[form.accept] ?? {};
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
