import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");

const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/** Where paths of ours begin; what is written elsewhere (URLs, API paths, variables) is no file. */
const OURS = /^(app|components|e2e|lib|prisma|public|server|\.ci)\/|^[\w.-]+\.(md|json|mjs|cjs|ts)$/;

/** Paths in code spans and links; a `*` stands for some name, which makes the folder above the thing named. */
function pathsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  const links = [...prose.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map((match) => match[1]!);
  return [...spans, ...links]
    .filter((span) => OURS.test(span) && !/[\s<>{}=]/.test(span))
    .map((span) => span.replace(/[^/]*\*.*$/, "").replace(/:\d+$/, ""));
}

describe("documents", () => {
  it("find the paths that they are asked to find", () => {
    const text =
      "See `lib/time.ts`, `server/archive/*.ts`, [here](docs/x.md#a), `POST /MetOcean`, `app/<x>`.";
    expect(pathsIn(text)).toEqual(["lib/time.ts", "server/archive/"]);
  });

  it.each(documents)("name only paths that exist: %s", (document) => {
    const named = pathsIn(readFileSync(path.join(root, document), "utf8"));
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });
});
