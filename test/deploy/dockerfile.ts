import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A stage of a Dockerfile, as far as deploy/Dockerfile uses the syntax. */
export interface Stage {
  name: string | undefined;
  instructions: { name: string; rest: string }[];
}

/**
 * The stages of a Dockerfile in order. @throws Error for an unknown instruction, so that nothing is skipped silently.
 */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n");
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === "FROM") {
      stages.push({ name: /\sAS\s+(\S+)/i.exec(rest)?.[1], instructions: [] });
    } else if (known.has(name)) stages.at(-1)!.instructions.push({ name, rest });
    else throw new Error(`The check of deploy/Dockerfile does not know: ${line}`);
  }
  return stages;
}

const known = new Set([
  ...["CMD", "COPY", "ENV", "EXPOSE", "HEALTHCHECK", "RUN", "USER", "VOLUME", "WORKDIR"],
]);

/** Value of an instruction that a stage has exactly once. */
export function only({ instructions }: Stage, wanted: string): string {
  const found = instructions.filter(({ name }) => name === wanted);
  if (found.length !== 1) throw new Error(`${found.length} instructions ${wanted} where one is expected`);
  return found[0]!.rest;
}

/** Variables of `ENV` in a stage. */
export function environmentOf({ instructions }: Stage): Record<string, string> {
  const texts = instructions.filter(({ name }) => name === "ENV").map(({ rest }) => rest);
  return Object.fromEntries(texts.flatMap((text) => text.split(/\s+/).map((each) => each.split("="))));
}

/**
 * Executes a `COPY`. The working folder of both stages is /app.
 *
 * @param from Folder that is copied from: the build context, or the result of the stage named by `--from`.
 * @param to Working folder of the stage.
 */
export function copy(rest: string, from: string, to: string): void {
  const words = rest.split(/\s+/).filter((word) => !word.startsWith("--"));
  const target = words.pop()!;
  const sources = words.map((word) => word.replace(/^\/app\//, ""));
  const isFolder = target.endsWith("/") || target === "." || sources.length > 1;
  for (const source of sources) {
    const at = path.join(from, source);
    // For a folder its content is copied.
    const whole = statSync(at).isDirectory();
    const goal = isFolder && !whole ? path.join(to, target, path.basename(source)) : path.join(to, target);
    mkdirSync(path.dirname(goal), { recursive: true });
    cpSync(at, goal, { recursive: true, verbatimSymlinks: true });
  }
}

/**
 * Copies what `docker build` would send: files that git tracks or would add, without those that .dockerignore names.
 */
export function copyContext(root: string, to: string): void {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  const isIgnored = ignoredBy(readFileSync(path.join(root, "deploy/Dockerfile.dockerignore"), "utf8"));
  for (const file of files) {
    if (file === "" || isIgnored(file) || !existsSync(path.join(root, file))) continue;
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(to, file));
  }
}

/** Patterns of a .dockerignore: paths from the root, `**` for any folders, `*` for part of a name. */
export function ignoredBy(text: string): (file: string) => boolean {
  const patterns = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const pattern = line
        .replace(/[.+^${}()|[\]\\]/g, "\\$&")
        .replace(/\*\*\//g, "(?:.*/)?")
        .replace(/(?<!\.)\*/g, "[^/]*");
      return new RegExp(`^${pattern}(?:/|$)`);
    });
  return (file) => patterns.some((pattern) => pattern.test(file));
}
