import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { ConfigError } from "./env.ts";

/** A file that the operator has written in DATA_DIR is wrong. The message names file, line and error. */
export class WrongFileError extends ConfigError {
  override readonly name = "WrongFileError";
}

/** Names of the YAML and JSON files of a folder, in their order; none if there is no such folder. */
export function yamlFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
}

/**
 * Largest file, bytes; those of the operator have two kilobytes. The time of YAML grows with the square of its keys:
 * this many take three seconds.
 */
const MAX_FILE_BYTES = 32 * 1024;
/** Number of errors that are listed, which a person can still read. */
const MAX_REASONS = 10;

/** Reads the text of a file that the operator has written. @throws WrongFileError where it is too long. */
export function readShortFile(file: string): string {
  const { size } = statSync(file);
  if (size > MAX_FILE_BYTES)
    throw new WrongFileError(`${file}: it has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
  return readFileSync(file, "utf8");
}

/** The content of a file, and the error of a value in it. */
export interface YamlFile<T> {
  value: T;
  /** @param at Keys that lead to the wrong value. */
  wrong(at: readonly PropertyKey[], reason: string): WrongFileError;
}

/**
 * Reads a file of YAML or JSON.
 *
 * @param unknownKey Describes a key that the schema does not have. @param unknownKey.at Keys that lead to its object.
 * @throws WrongFileError
 */
export function readYaml<T>(
  file: string,
  schema: z.ZodType<T>,
  unknownKey: (at: readonly PropertyKey[]) => string,
): YamlFile<T> {
  try {
    return parsed(file, schema, unknownKey);
  } catch (error) {
    if (error instanceof WrongFileError) throw error;
    throw new WrongFileError(`${file}: it cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parsed<T>(
  file: string,
  schema: z.ZodType<T>,
  unknownKey: (at: readonly PropertyKey[]) => string,
): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(readShortFile(file), { lineCounter: lines });
  const described = (at: readonly PropertyKey[], reason: string) => {
    const node = document.getIn(at.map(String), true) as { range?: [number] } | undefined;
    const line = node?.range ? `:${lines.linePos(node.range[0]).line}` : "";
    return `${file}${line}: ${at.length > 0 ? `${at.join(".")}: ` : ""}${reason}`;
  };
  const [syntax] = document.errors;
  if (syntax)
    throw new WrongFileError(`${file}:${syntax.linePos?.[0].line ?? 1}: ${syntax.message.split("\n")[0]}`);
  const read = schema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (read.success)
    return { value: read.data, wrong: (at, reason) => new WrongFileError(described(at, reason)) };
  const reasons = read.error.issues
    .flatMap((issue) => ofUnion(issue))
    .flatMap(({ path: at, message, keys }) =>
      keys
        ? keys.map((key) => () => described([...at, key], unknownKey(at)))
        : [() => described(at, message)],
    );
  const more = reasons.length - MAX_REASONS;
  throw new WrongFileError(
    [
      ...reasons.slice(0, MAX_REASONS).map((reason) => reason()),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join("\n"),
  );
}

interface Issue {
  code?: string;
  path: readonly PropertyKey[];
  message: string;
  /** Keys that the schema does not know. */
  keys?: readonly string[];
  errors?: readonly (readonly Issue[])[];
}

/** Issues of the union's branch that a value comes nearest to. Branches of the value's type come first. */
function ofUnion(issue: Issue): Issue[] {
  const distance = (issues: readonly Issue[]) =>
    issues.length +
    (issues.some(({ code, path: at }) => code === "invalid_type" && at.length === 0) ? 1e3 : 0);
  const [nearest] = [...(issue.errors ?? [])].sort((one, other) => distance(one) - distance(other));
  if (issue.code !== "invalid_union" || !nearest) return [issue];
  return nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}
