// `npm run storms:replay -- <directory> --schedules 1000 --seed 1`: seasons made of the decks and bulletins of a directory,
// read every hour while the mirror fails in random ways. Exit status 1 where an invariant breaks.
import { parseArgs } from "node:util";
import type { Provider } from "#server/storms/bulletin.ts";
import { readLibrary, syntheticLibrary } from "./library.ts";
import { replay } from "./replay-run.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    schedules: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    provider: { type: "string" },
    shown: { type: "string", default: "10" },
  },
});
const library = positionals[0]
  ? await readLibrary(positionals[0])
  : syntheticLibrary(Date.UTC(2026, 6, 1) / 1000, 60);
console.log(`${library.decks.length} decks, ${library.archives.length} archives of bulletins`);
const began = performance.now();
const report = await replay({
  library,
  schedules: Number(values.schedules),
  seed: Number(values.seed),
  ...(values.provider ? { provider: values.provider as Provider } : {}),
  shown: Number(values.shown),
  write: (line) => console.log(line),
});
const seconds = (performance.now() - began) / 1000;
console.log(
  `${report.schedules} schedules, ${report.polls} polls, ${report.faults} faults of the mirror, ${seconds.toFixed(0)} s (${process.cpuUsage().user / 1e6} s of the processor): ${report.broken} schedules break an invariant`,
);
for (const [kind, count] of report.kinds) console.log(`  ${kind}: ${count}`);
process.exitCode = report.broken > 0 ? 1 : 0;
