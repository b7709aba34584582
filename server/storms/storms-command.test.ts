import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { describeCone } from "#lib/storm-answers/provenance.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { en } from "#test/all-words.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { deriveStorms } from "./derive.ts";
import { stormsCommand } from "./storms-command.ts";

const at = (iso: string) => Date.parse(iso) / 1000;
describeWithDatabase("storms refresh", (fresh) => {
  let database: Database | undefined;
  afterEach(async () => {
    await database?.close();
    database = undefined;
  });

  /** Refreshes from a mirror of the demo's texts. @returns Error output, and the description of each storm's cone. */
  async function refreshAt(now: number, mirrored = (text: string) => text) {
    const place = await fresh();
    const mirror = path.join(place.dataDir, "mirror");
    const texts = feedTexts("jtwc", now, { seed: 1 });
    for (const { source, text } of texts) {
      await mkdir(path.join(mirror, path.dirname(source)), { recursive: true });
      await writeFile(path.join(mirror, source), mirrored(text));
    }
    database = await openDatabase(place);
    const output = { out: "", err: "" };
    const status = await stormsCommand(["refresh", "--provider", "jtwc", "--from", mirror], {
      open: async () => database!.prisma,
      out: { write: (text) => (output.out += text) },
      err: { write: (text) => (output.err += text) },
      now,
      signal: new AbortController().signal,
    });
    const { storms } = deriveStorms({ provider: "jtwc", texts, previous: [], now });
    const words = storms.flatMap(({ entry }) =>
      entry.cone ? [`${entry.id} ${describeCone(entry, en)}`] : [],
    );
    return { status, out: output.out, err: output.err, words: words.join("\n") };
  }

  it("reports missing radii of a season to the operator and in the description of the cone", async () => {
    const { status, err, words } = await refreshAt(at("2027-09-15T12:00:00Z"));
    expect(status).toBe(0);
    expect(err).toMatch(
      /^AL\d\d2027: its cone has the radii of 2026: those of 2027 are to be entered into lib\/storms\/cone-radii\.json$/m,
    );
    expect(words).toMatch(
      /^AL\d\d2027 NHC's table of 2026 \(that of 2027 is not known here yet\), two thirds/m,
    );
    // A southern season that has begun is named by the next year; its table is that of this year.
    expect(words).toMatch(/^SH\d\d2028 .*\(that of 2027 is not known here yet\)/m);
  });

  it("names texts that end in the middle, publishes the rest and says so by its exit status", async () => {
    const { err, out, status } = await refreshAt(at("2026-09-15T12:00:00Z"), (text) =>
      text.startsWith("AL,") ? text.slice(0, -20) : text,
    );
    expect(status).toBe(3);
    expect(out).toMatch(/storms are published/);
    expect(err).toMatch(/^\S+al\d{6}\.dat:\d+: cut/m);
    expect(err).toMatch(/^\d of the texts ends? in the middle \(.*\): their storms stay as they were$/m);
  });

  it("reports nothing when the radii are present, also for a southern season", async () => {
    const { err, words } = await refreshAt(at("2026-09-15T12:00:00Z"));
    expect(err).toBe("");
    expect(words).toMatch(/^SH\d\d2027 NHC's table of 2026, two thirds/m);
    expect(words).not.toContain("not known");
  });
});
