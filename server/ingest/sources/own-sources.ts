import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { LineCounter, parseDocument } from "yaml";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { ConfigError, secretOf } from "#server/platform/env.ts";
import { compileOwnSource, OwnSourceError, ownFieldNames, ownSourceSchema } from "./own-source.ts";

/** A file of DATA_DIR/sources is wrong; the message names file, line and what is wrong. */
export class WrongSourceError extends ConfigError {
  override readonly name = "WrongSourceError";
}

/**
 * The feeds of the files in DATA_DIR/sources, by the names of the files.
 *
 * @param taken Names of other feeds and sources.
 * @throws WrongSourceError
 */
export function readOwnSources(folder: string, taken: readonly string[] = []): FieldFeed[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
  const feeds = files.map((name) => readOwnSource(path.join(folder, name), taken));
  const twice = feeds.findIndex(({ name }, index) => feeds.findIndex((other) => other.name === name) < index);
  if (twice >= 0)
    throw new WrongSourceError(`${files[twice]}: another file has the name ${feeds[twice]!.name} too`);
  return feeds;
}

/** The feed of one file, YAML or JSON. @throws WrongSourceError */
export function readOwnSource(file: string, taken: readonly string[] = []): FieldFeed {
  try {
    return compiled(file, taken);
  } catch (error) {
    if (error instanceof WrongSourceError) throw error;
    throw new WrongSourceError(`${file}: it cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function compiled(file: string, taken: readonly string[]): FieldFeed {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: lines });
  const wrong = (at: readonly PropertyKey[], reason: string) => {
    const node = document.getIn(at.map(String), true) as { range?: [number] } | undefined;
    const line = node?.range ? `:${lines.linePos(node.range[0]).line}` : "";
    return `${file}${line}: ${at.length > 0 ? `${at.join(".")}: ` : ""}${reason}`;
  };
  const [syntax] = document.errors;
  if (syntax)
    throw new WrongSourceError(`${file}:${syntax.linePos?.[0].line ?? 1}: ${syntax.message.split("\n")[0]}`);
  const read = ownSourceSchema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (!read.success) {
    const reasons = read.error.issues
      .flatMap((issue) => ofUnion(issue))
      .flatMap(({ path: at, message, keys }) =>
        keys ? keys.map((key) => wrong([...at, key], unknownKey(at))) : [wrong(at, message)],
      );
    throw new WrongSourceError(reasons.join("\n"));
  }
  if (taken.includes(read.data.name))
    throw new WrongSourceError(
      wrong(["name"], `${read.data.name} is a feed of this service; those are ${taken.join(", ")}`),
    );
  try {
    return compileOwnSource(read.data, secretOf);
  } catch (error) {
    if (!(error instanceof OwnSourceError)) throw error;
    throw new WrongSourceError(wrong(error.at, error.message));
  }
}

interface Issue {
  code?: string;
  path: readonly PropertyKey[];
  message: string;
  /** Those that the schema does not know. */
  keys?: readonly string[];
  errors?: readonly (readonly Issue[])[];
}

/** Of the forms that a value may have, that which it comes nearest to: one of its type first. */
function ofUnion(issue: Issue): Issue[] {
  const distance = (issues: readonly Issue[]) =>
    issues.length +
    (issues.some(({ code, path: at }) => code === "invalid_type" && at.length === 0) ? 1e3 : 0);
  const [nearest] = [...(issue.errors ?? [])].sort((one, other) => distance(one) - distance(other));
  if (issue.code !== "invalid_union" || !nearest) return [issue];
  return nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function unknownKey(at: readonly PropertyKey[]): string {
  if (at.length === 0)
    return `there is no such key; there are ${Object.keys(ownSourceSchema.shape).join(", ")}`;
  return at[0] === "fields" && at.length === 1
    ? `there is no such field; there are ${ownFieldNames.join(", ")}`
    : "there is no such key";
}
