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

/** The feeds of the files in DATA_DIR/sources, by the names of the files. @throws WrongSourceError */
export function readOwnSources(folder: string): FieldFeed[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
  const feeds = files.map((name) => readOwnSource(path.join(folder, name)));
  const twice = feeds.findIndex(({ name }, index) => feeds.findIndex((other) => other.name === name) < index);
  if (twice >= 0)
    throw new WrongSourceError(`${files[twice]}: another file has the name ${feeds[twice]!.name} too`);
  return feeds;
}

/** The feed of one file, YAML or JSON. @throws WrongSourceError */
export function readOwnSource(file: string): FieldFeed {
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

/** Of the forms that a value may have, that which it comes nearest to. */
function ofUnion(issue: Issue): Issue[] {
  const [nearest] = [...(issue.errors ?? [])].sort((one, other) => one.length - other.length);
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
