import { labOptions } from "#test/lab-options.ts";
import { seededFaults } from "./fault-schedule.ts";
import { startMirror } from "./mirror.ts";
import type { Resolution } from "./planet.ts";

const { port, now, speed, faults, grid } = labOptions(
  `The hosts of all feeds on loopback, over an invented planet: set FEED_MIRROR to the address that is printed.
Control: POST /faults {"match": "gfs.*f006", "fault": "cut", "times": 1}; GET or DELETE /faults; GET /requests; GET /now`,
  {
    port: [8800, "where it listens"],
    now: [new Date().toISOString(), "the mirror's time at the start"],
    speed: [1, "the mirror's clock runs N times as fast; 0 stands still"],
    faults: ["", "a seed: faults by chance, the same for the same seed"],
    grid: [0.25, "degrees: 0.25 as the real files, 1 or 2.5"],
  },
);
const started = Date.now() / 1000;
const start = Date.parse(now) / 1000;
if (!Number.isFinite(start) || ![0.25, 1, 2.5].includes(grid)) {
  console.error("--now is an instant, --grid is 0.25, 1 or 2.5");
  process.exit(2);
}
const mirror = await startMirror(
  {
    now: () => start + speed * (Date.now() / 1000 - started),
    planet: { resolution: grid as Resolution },
    ...(faults === "" ? {} : { schedule: seededFaults(Number(faults)) }),
  },
  port,
);
console.log(`FEED_MIRROR=${mirror.url}   ${new Date(start * 1000).toISOString()}, ${speed} times as fast`);
