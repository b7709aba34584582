import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { demoDecks } from "#server/demo/storms/atcf.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { openDatabase } from "#server/platform/db.ts";
import type { Provider } from "#server/storms/bulletin.ts";
import { directoryFeed } from "#server/storms/feed.ts";
import { refresh } from "#server/storms/refresh.ts";
import { StormStore } from "#server/storms/store.ts";
import { stormThread } from "#server/storms/storm-thread.ts";
import { copyMigratedData } from "#test/postgres.ts";
import { samplesDir } from "#test/samples.ts";
import { median } from "./median.ts";
import { measureServer } from "./refresh-load.ts";

const NOW = Date.parse("2026-09-15T12:00:00Z") / 1000;
const DAY_S = 86_400;
const DECKS = 35;
const BULLETINS = 30;
const ROUNDS = 5;

/**
 * `storms refresh` without the start of its process: a season's folder of 35 decks, and 30 JMA bulletins, from files to
 * the database, all new and then unchanged. Synthetic, and the real samples if they are present. Then what it costs those
 * who ask the server meanwhile.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-refresh-"));
  const dataDir = path.join(folder, "data");
  await mkdir(dataDir);
  await copyMigratedData(dataDir);
  const database = await openDatabase({ dataDir });
  try {
    const synthetic = path.join(folder, "synthetic");
    await writeSeason(synthetic);
    const samples = samplesDir;
    for (const provider of ["jtwc", "jma"] as const) {
      await measure("synthetic", provider, path.join(synthetic, provider));
      const real = samples && path.join(samples, provider === "jma" ? "jma" : "atcf");
      if (!real || !existsSync(real)) continue;
      const copy = path.join(folder, "real", provider);
      await cp(real, copy, { recursive: true });
      await measure("samples", provider, copy);
    }
    await measureServer(path.join(synthetic, "jtwc"), NOW);
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }

  async function measure(what: string, provider: Provider, from: string): Promise<void> {
    const full: number[] = [];
    const unchanged: number[] = [];
    let read = "";
    const thread = stormThread();
    const run = async (now: number) => {
      const started = performance.now();
      const deps = { store: new StormStore(database.prisma), derive: thread.derive, now };
      const { texts, storms } = await refresh(directoryFeed(provider, from, now), {
        ...deps,
        signal: new AbortController().signal,
      });
      read = `${texts} texts, ${storms.length} storms`;
      return performance.now() - started;
    };
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await database.prisma.stormText.deleteMany();
        await database.prisma.stormSnapshot.deleteMany();
        full.push(await run(NOW));
        unchanged.push(await run(NOW + 600));
      }
    } finally {
      await thread.close();
    }
    console.log(
      `storms refresh, ${what} ${provider} (${read}): full ${median(full).toFixed(0)} ms (limit 2000), unchanged ${median(unchanged).toFixed(0)} ms (limit 300)`,
    );
  }
}

/** Decks of storms of the months before, under successive numbers, and those of now; bulletins under successive codes. */
async function writeSeason(folder: string): Promise<void> {
  const decks = path.join(folder, "jtwc");
  const bulletins = path.join(folder, "jma");
  await mkdir(decks, { recursive: true });
  let written = 0;
  for (let days = 0; written < DECKS; days += 9) {
    for (const { id, bDeck } of demoDecks(1, NOW - days * DAY_S)) {
      if (written++ >= DECKS) break;
      const number = String(written).padStart(2, "0");
      const text = bDeck.replaceAll(/^([A-Z]{2}), *\d\d,/gm, `$1, ${number},`);
      const file = path.join(decks, `b${id.slice(0, 2)}${number}${id.slice(4)}.dat`);
      await writeFile(file, text);
      await utimes(file, NOW - days * DAY_S, NOW - days * DAY_S);
    }
  }
  for (let index = 0; index < BULLETINS; index++) {
    for (const { source, text } of feedTexts("jma", NOW - index * 3 * DAY_S, { seed: 1 })) {
      if (source === "targetTc.json" || !source.endsWith("specifications.json")) continue;
      const file = path.join(bulletins, `TC26${String(10 + index).padStart(2, "0")}`, path.basename(source));
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}
