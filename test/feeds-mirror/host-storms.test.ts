import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { newestBase } from "#server/demo/storms/fixes.ts";
import { parseText } from "#server/storms/parse/text.ts";
import { hosts } from "./hosts.ts";
import { asPublished } from "./published.ts";
import { stormTexts } from "./storm-texts.ts";

const now = Date.UTC(2026, 8, 3, 20) / 1000;
const planet = { resolution: 2.5 } as const;

function read(host: string, path: string): Buffer | undefined {
  const found = hosts[host]?.({ path, query: new URLSearchParams(), now }, planet);
  return found && Buffer.concat(found.pieces(asPublished).map((piece) => piece.bytes()));
}

const STALE = "/data/raw/wt/wtpn54.pgtw..txt";

const all = [...stormTexts(newestBase(now), now)].flatMap(([host, files]) =>
  [...files.keys()].map((path) => [host, path] as const),
);

describe.each(all.filter(([, path]) => /\.(dat|dat\.gz|fst|tcw|txt|json|kml)$/.test(path)))(
  "%s%s",
  (host, path) => {
    it("is a text that the service reads without a problem, but for the stale slot", () => {
      const bytes = read(host, path)!;
      const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
      const source = path.split("/").slice(-2).join("/").replace(/\.gz$/, "");
      const parsed = parseText(source, text, now);
      // A slot that was never cleared has a storm of 2024: it must be there, and it must be told.
      if (path === STALE) expect(parsed.problems[0]!.reason).toMatch(/^stale/);
      else expect(parsed.problems).toEqual([]);
    });
  },
);

it("has decks, warnings in two forms, lists and bulletins", () => {
  const hostNames = new Set(all.map(([host]) => host));
  expect(hostNames.size).toBe(7);
  for (const pattern of [
    /\/b[a-z]{2}\d{6}\.dat$/,
    /web\.txt$/,
    /\.tcw$/,
    /wt..5\d\.pgtw\.\.txt$/,
    /targetTc\.json$/,
  ]) {
    expect(
      all.some(([, path]) => pattern.test(path)),
      String(pattern),
    ).toBe(true);
  }
});

it("lists the files of a folder", () => {
  const list = read("hurricanes.ral.ucar.edu", "/repository/data/bdecks_open/2026/")!.toString();
  const names = [...list.matchAll(/href="(b[a-z]{2}\d{6}\.dat)"/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect(read("hurricanes.ral.ucar.edu", `/repository/data/bdecks_open/2026/${name}`)).toBeDefined();
  }
});
