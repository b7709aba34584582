import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { settingNames } from "#server/platform/env.ts";

const root = path.join(import.meta.dirname, "..");

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "clients/homeassistant/README.md",
  "clients/python/README.md",
  "clients/signalk/README.md",
  "clients/typescript/README.md",
  "lib/geo/README.md",
  "lib/grib2/README.md",
  "lib/storms/README.md",
  ...["docs", "deploy"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
      .sort(),
  ),
];

/** Matches the beginnings of paths of the repository. URLs, API paths and variables begin differently. */
const OURS =
  /^(app|bench|clients|components|docs|e2e|lib|prisma|public|scripts|server|test|\.ci)\/|^[\w.-]+\.(md|json|mjs|cjs|ts)$/;

const read = (document: string) => readFileSync(path.join(root, document), "utf8");
const proseOf = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/**
 * Paths in a document, relative to the root; for a path with `*` the folder above it. Code spans are relative to the
 * root, links to the folder of the document.
 */
function pathsIn(document: string, text: string): string[] {
  const folder = path.posix.dirname(document);
  const prose = proseOf(text);
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, span]) => span!)
    .filter((name) => OURS.test(name));
  const links = [...prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => path.posix.join(folder, link));
  return [...spans, ...links]
    .filter((name) => !/[\s<>{}=]/.test(name))
    .map((name) => name.replace(/[^/]*\*.*$/, "").replace(/:\d+$/, ""));
}

it("paths are found in code spans and in links", () => {
  const text =
    "See `lib/time.ts`, `server/archive/*.ts`, [here](x.md#a), [above](../y.md), `POST /MetOcean`, `app/<x>`, [w](https://w).";
  expect(pathsIn("docs/a.md", text)).toEqual(["lib/time.ts", "server/archive/", "docs/x.md", "y.md"]);
});

it.each(documents)("names only paths that exist: %s", (document) => {
  const missing = pathsIn(document, read(document)).filter((name) => !existsSync(path.join(root, name)));
  expect(missing).toEqual([]);
});

it("the decisions in force begin with their numbers", () => {
  const decisions = documents.filter((document) => document.startsWith("docs/decisions/"));
  expect(decisions.length).toBeGreaterThan(10);
  const headings = decisions.map((document) => /^# (\d+)\.? \S/.exec(read(document))?.[1]);
  expect(headings.map(Number)).toEqual(decisions.map((name) => Number.parseInt(path.basename(name), 10)));
});

it("each flow of ARCHITECTURE.md names a file once", () => {
  const flows = [...read("ARCHITECTURE.md").matchAll(/^\*\*([^*]+)\*\*.*:\n\n((?:- .*\n)+)/gm)];
  expect(flows.length).toBeGreaterThan(3);
  for (const [, name, flow] of flows) {
    const files = [...flow!.matchAll(/^- (?:[\w -]+: )?`([^`]+\.\w+)`/gm)].map((match) => match[1]!);
    expect([name, files.filter((file, at) => files.indexOf(file) < at)]).toEqual([name, []]);
  }
});

it("the table of docs/configuration.md lists every setting, and no other", () => {
  const [table = ""] = /^\|[\s\S]*?\n\n/m.exec(read("docs/configuration.md"))!;
  const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]!);
  expect(rows.toSorted()).toEqual(settingNames.toSorted());
});

// These documents can be read in one sitting.
it.each([
  ["README.md", 150],
  ["ARCHITECTURE.md", 350],
])("%s has at most %i lines", (document, limit) => {
  expect(read(document).trimEnd().split("\n").length).toBeLessThanOrEqual(limit);
});
