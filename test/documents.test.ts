import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { settingNames } from "#server/platform/env.ts";

const root = path.join(import.meta.dirname, "..");

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "clients/python/README.md",
  "clients/signalk/README.md",
  "clients/typescript/README.md",
  ...["docs", "deploy"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
      .sort(),
  ),
];

/** Pages that stay short enough to be read in one sitting. */
const maxLines = { "README.md": 150, "ARCHITECTURE.md": 350 };

/** How paths of the repository begin; URLs, API paths and variables begin otherwise. */
const OURS =
  /^(app|bench|clients|components|docs|e2e|lib|prisma|public|scripts|server|test|\.ci)\/|^[\w.-]+\.(md|json|mjs|cjs|ts)$/;

/** Paths in code spans and links, relative to the root; of a path with `*` the folder above it. */
function pathsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  const links = [...prose.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map((match) => match[1]!);
  return [...spans, ...links]
    .filter((span) => OURS.test(span) && !/[\s<>{}=]/.test(span))
    .map((span) => span.replace(/[^/]*\*.*$/, "").replace(/:\d+$/, ""));
}

/** Words of prose, outside code: whatever stands between spaces and has a letter. */
function wordsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return prose.split(/\s+/).filter((word) => /\p{L}/u.test(word));
}

describe("documents", () => {
  it("have their paths found, in code spans and in links", () => {
    const text =
      "See `lib/time.ts`, `server/archive/*.ts`, [here](other/x.md#a), `POST /MetOcean`, `app/<x>`.";
    expect(pathsIn(text)).toEqual(["lib/time.ts", "server/archive/"]);
  });

  it.each(documents)("name only paths that exist: %s", (document) => {
    const named = pathsIn(readFileSync(path.join(root, document), "utf8"));
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });

  it.each(documents.filter((document) => document.startsWith("docs/decisions/")))(
    "begin with the number of the decision: %s",
    (document) => {
      const [first = ""] = readFileSync(path.join(root, document), "utf8").split("\n");
      expect(first).toMatch(/^# \d+\.? \S/);
      expect(Number.parseInt(first.slice(2), 10)).toBe(Number.parseInt(path.basename(document), 10));
    },
  );

  it("have at most 25,000 words of prose in all", () => {
    expect(wordsIn("One table of `quantities`, 2 | rows\n```sh\nnpm start\n```\n")).toHaveLength(4);
    const ours = documents.filter((document) => !document.startsWith("clients/"));
    const words = ours.flatMap((document) => wordsIn(readFileSync(path.join(root, document), "utf8")));
    expect(words.length).toBeLessThanOrEqual(25_000);
  });

  it("keep the decisions in force, merged by subject, to at most 40 files", () => {
    const decisions = documents.filter((document) => document.startsWith("docs/decisions/"));
    expect(decisions.length).toBeLessThanOrEqual(40);
  });

  it("name a file once in each flow of ARCHITECTURE.md", () => {
    const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
    const flows = [...text.matchAll(/^\*\*([^*]+)\*\*.*:\n\n((?:- .*\n)+)/gm)];
    expect(flows.length).toBeGreaterThan(3);
    for (const [, name, flow] of flows) {
      const files = [...flow!.matchAll(/^- (?:[\w -]+: )?`([^`]+\.\w+)`/gm)].map((match) => match[1]!);
      expect([name, files.filter((file, at) => files.indexOf(file) < at)]).toEqual([name, []]);
    }
  });

  it("list every setting, and no other, in the table of docs/configuration.md", () => {
    const [table = ""] = /^\|[\s\S]*?\n\n/m.exec(
      readFileSync(path.join(root, "docs/configuration.md"), "utf8"),
    )!;
    const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]!);
    expect(rows.toSorted()).toEqual(settingNames.toSorted());
  });

  it.each(Object.entries(maxLines))("are short: %s has at most %i lines", (document, limit) => {
    expect(readFileSync(path.join(root, document), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(
      limit,
    );
  });
});
