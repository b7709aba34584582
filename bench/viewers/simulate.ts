// `npm run simulate:viewers`: what a CDN takes of the map's frames on a day of 10,000 viewers, and of a tenth of them.
// docs/scaling.md has the results and what the model assumes; --viewers 100000 another number.

import { parseArgs } from "node:util";
import { type Network, type Origin, simulateDay } from "./day.ts";

const { values } = parseArgs({ options: { viewers: { type: "string" } } });
const numbers = values.viewers ? [Number(values.viewers)] : [1_000, 10_000];
if (!numbers.every((viewers) => Number.isInteger(viewers) && viewers > 0))
  throw new Error("--viewers takes a whole number");

const networks: Record<string, Network> = {
  "one cache of 10 GB (nginx.conf)": { edges: 1, hasShield: false, cacheBytes: 10e9 },
  "one cache of 1 GB": { edges: 1, hasShield: false, cacheBytes: 1e9 },
  "5 edges of 10 GB": { edges: 5, hasShield: false, cacheBytes: 10e9 },
  "30 edges of 10 GB": { edges: 30, hasShield: false, cacheBytes: 10e9 },
  "30 edges behind one cache": { edges: 30, hasShield: true, cacheBytes: 10e9 },
};

for (const viewers of numbers) {
  const { asked, origins } = simulateDay(viewers, Object.values(networks), 1);
  const { requests, bytes, peak } = asked;
  console.log(
    `${viewers} viewers ask for ${requests} frames, ${(bytes / 1e9).toFixed(1)} GB: ${Math.round(requests / viewers)} and ${(bytes / viewers / 1e6).toFixed(1)} MB each, ${peak.toFixed(1)} a second in the busiest minute`,
  );
  for (const [index, name] of Object.keys(networks).entries())
    console.log(`  ${name.padEnd(32)} ${answered(asked, origins[index]!)}`);
}

function answered(asked: Origin, { requests, bytes, peak }: Origin): string {
  const share = (part: number, whole: number) => `${(100 * (1 - part / whole)).toFixed(1)} %`;
  return `takes ${share(requests, asked.requests)} of the requests, ${share(bytes, asked.bytes)} of the bytes; the service is asked ${requests} times, ${(bytes / 1e9).toFixed(1)} GB, ${peak.toFixed(1)} a second in the busiest minute`;
}
