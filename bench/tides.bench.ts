import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";

const NOW = parseInstant("2026-09-14T07:00:00Z");
const ROUNDS = 30;

/** Views of the map by `bbox`: the densest coasts, and more stations than a view may have. */
const views = {
  "Brest and the Solent": "-11.25,45,5.625,53.438",
  "San Francisco Bay": "-123.75,36.563,-120.938,39.375",
  "Puget Sound": "-129.375,42.188,-118.125,53.438",
  "United States, east": "-80,25,-65,46",
  world: "-180,-90,180,90",
};

/** GET /tides of the whole server: the first answer, which starts the thread, later ones, and views of the map as time goes on. */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const { child, url } = await startMeasuredServer(folder, NOW);
  try {
    const ask = async (target: string) => {
      const began = performance.now();
      const reply = await fetch(url + target, { headers: { "x-api-key": MEASURED_KEY } });
      const body = await reply.text();
      if (reply.status !== 200) throw new Error(`${target}: ${reply.status} ${body}`);
      return { ms: performance.now() - began, bytes: Number(reply.headers.get("content-length")), body };
    };
    const station = `/tides/ticon:brest-822-fra-uhslc_fd?to=${formatInstant(NOW + 2 * 86_400)}`;
    const first = await ask(station);
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round++) later.push((await ask(station)).ms);
    console.log(`a station: first ${first.ms.toFixed(0)} ms, later ${median(later).toFixed(1)} ms`);
    for (const [name, bbox] of Object.entries(views)) {
      const at = (hour: number) => ask(`/tides/now?bbox=${bbox}&at=${formatInstant(NOW + hour * 3600)}`);
      const begun = await at(0);
      const times: number[] = [];
      for (let hour = 1; hour <= ROUNDS; hour++) times.push((await at(hour)).ms);
      const { tides, streams, total } = JSON.parse(begun.body);
      console.log(
        `${name}: ${tides.id.length} heights and ${streams.id.length} streams of ${total}, ${begun.bytes} bytes; first ` +
          `${begun.ms.toFixed(0)} ms, each hour after it ${median(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} ms`,
      );
    }
  } finally {
    await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}
