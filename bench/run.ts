// `npm run bench` runs the measurements of docs/benchmarks.md, one after another. `npm run bench -- points` runs those
// whose name contains the word.

import { watchStolen } from "./steal-time.ts";

/** A smaller share of stolen time is normal noise of a host. */
const NOTICEABLE = 0.02;

interface Bench {
  bench(): void | Promise<void>;
}

const benches: Record<string, () => Promise<Bench>> = {
  "points of the archive": () => import("./points.bench.ts"),
  "one-point requests": () => import("./one-point.bench.ts"),
  "fields as JSON": () => import("./map2d.bench.ts"),
  "GET /storms": () => import("./storms.bench.ts"),
  "GRIB2 decoding": () => import("./grib2-decode.bench.ts"),
  "map frames": () => import("./frames.bench.ts"),
  "passages of the demo world": () => import("./passage.bench.ts"),
  tasks: () => import("./tasks.bench.ts"),
  "a greedy owner": () => import("./greedy-owner.bench.ts"),
  "files of the OpenGribs protocol": () => import("./opengribs.bench.ts"),
  "feeds cycle": () => import("./feeds-cycle.bench.ts"),
  "members of an ensemble": () => import("./ensemble.bench.ts"),
};

const word = (process.argv[2] ?? "").toLowerCase();
const asked = Object.entries(benches).filter(([name]) => name.toLowerCase().includes(word));
if (asked.length === 0) {
  console.error(`No measurement is called "${word}"; there are ${Object.keys(benches).join(", ")}`);
  process.exitCode = 2;
}
for (const [name, load] of asked) {
  console.log(`\n── ${name}\n`);
  const stolen = watchStolen();
  await (await load()).bench();
  const share = stolen() ?? 0;
  if (share > NOTICEABLE) {
    console.log(`The host of this machine took ${Math.round(100 * share)} % of its processors meanwhile.`);
  }
}
