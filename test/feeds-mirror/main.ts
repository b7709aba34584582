import { parseArgs } from "node:util";
import { seededFaults } from "./fault-schedule.ts";
import { startMirror } from "./mirror.ts";
import type { Packing, Resolution } from "./planet.ts";

const help = `The hosts of all feeds on loopback, over an invented planet: set FEED_MIRROR to the address that is printed.

npm run feeds:mirror -- [options]
  --port N          default 8800
  --now ISO         the mirror's time at the start; default now
  --speed N         the mirror's clock runs N times as fast; 0 stands still
  --faults SEED     faults by chance, the same for the same seed
  --grid STEP       0.25 (as the real files), 1 or 2.5 degrees
  --packing KIND    simple (quick, larger), or real: as each feed packs its values
Control: POST /faults {"match": "gfs.*f006", "fault": "cut", "times": 1}; GET or DELETE /faults; GET /requests; GET /now`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8800" },
    now: { type: "string" },
    speed: { type: "string", default: "1" },
    faults: { type: "string" },
    grid: { type: "string", default: "0.25" },
    packing: { type: "string", default: "simple" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const started = Date.now() / 1000;
const start = values.now === undefined ? started : Date.parse(values.now) / 1000;
const speed = Number(values.speed);
const resolution = Number(values.grid);
if (!Number.isFinite(start) || !Number.isFinite(speed) || ![0.25, 1, 2.5].includes(resolution)) {
  console.error(help);
  process.exit(2);
}
const mirror = await startMirror(
  {
    now: () => start + speed * (Date.now() / 1000 - started),
    planet: { resolution: resolution as Resolution, packing: values.packing as Packing },
    ...(values.faults === undefined ? {} : { schedule: seededFaults(Number(values.faults)) }),
  },
  Number(values.port),
);
console.log(`FEED_MIRROR=${mirror.url}   ${new Date(start * 1000).toISOString()}, ${speed} times as fast`);
