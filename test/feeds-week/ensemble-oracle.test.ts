import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import { temporaryFolder } from "#test/archive.ts";
import { hasEccodes } from "#test/eccodes.ts";
import { shortFeed } from "./short-feed.ts";
import { serviceWithCycle } from "./simulated-service.ts";

const CYCLE = Date.UTC(2026, 11, 31, 18) / 1000;
const { signal } = new AbortController();

describe.skipIf(!hasEccodes())("statistics of a step, from the host to the archive", () => {
  it("are those of numpy over the members that eccodes decodes, within the packing, at every node", async () => {
    const feed = shortFeed("gefs-statistics", 12);
    await using service = await serviceWithCycle(feed, CYCLE);
    const [run] = (await readManifest(service.archive)).runs;
    const reader = openReader(directoryStore(service.archive), { cacheBytes: 1 << 22 });
    const folder = temporaryFolder();
    const step = 4;
    const part = feed.parts(CYCLE, "standard")[step]!;
    const objects = feed.objects(part, "standard", feed.mirrors[0]!);
    const files: string[] = [];
    for (const { object } of objects?.kind === "members" ? objects.objects : []) {
      const { host } = new URL(feed.mirrors[0]!.base);
      const answer = await fetch(`${service.mirror.url}/${host}/${object}`);
      files.push(join(folder, `${files.length}.grib2`));
      writeFileSync(files.at(-1)!, new Uint8Array(await answer.arrayBuffer()));
    }
    expect(files).toHaveLength(31);
    const script = join(import.meta.dirname, "ensemble-oracle.py");
    const json = execFileSync("/usr/bin/python3", [script, ...files], { maxBuffer: 2 ** 28 }).toString();
    const { closest, ...expected } = JSON.parse(json) as Record<string, number[]>;
    // No member is so near to a limit that float32 and float64 could disagree about it.
    expect(closest![0]).toBeGreaterThan(1e-6);
    for (const [is, numbers] of Object.entries(expected)) {
      const name = `wind_speed_of_gust_${is}` as StoredName;
      const { scale, offset = 0 } = storedField(name);
      const { values } = await reader.mapStep(run!, name, step, 1, signal);
      expect(values).toHaveLength(numbers.length);
      const worst = numbers.reduce((most, number, i) => {
        const found = values[i] === FILL ? Number.NaN : values[i]! * scale + offset;
        const difference = Math.abs(found - number);
        return difference <= most ? most : difference;
      }, 0);
      expect(worst, name).toBeLessThanOrEqual(scale / 2 + 1e-5);
    }
  }, 60_000);
});
