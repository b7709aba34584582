import type { Provider } from "#server/storms/bulletin.ts";
import { labOptions } from "#test/lab-options.ts";
import { readLibrary, syntheticLibrary } from "./library.ts";
import { replay } from "./replay-run.ts";

const values = labOptions(
  `Seasons of decks and bulletins, read every hour while the mirror cuts, loses and repeats texts. Wrong is a schedule that
breaks an invariant (test/storms-replay/invariants.ts).`,
  {
    samples: ["", "a directory of decks and bulletins; without it, of written seasons"],
    schedules: [100, "of faults"],
    seed: [1, "of the first schedule"],
    provider: ["", "jtwc or jma"],
    shown: [10, "broken schedules, each reduced"],
  },
);
const library = values.samples
  ? await readLibrary(values.samples)
  : syntheticLibrary(Date.UTC(2026, 6, 1) / 1000, 60);
console.log(`${library.decks.length} decks, ${library.archives.length} archives of bulletins`);
const began = performance.now();
const report = await replay({
  library,
  schedules: values.schedules,
  seed: values.seed,
  ...(values.provider ? { provider: values.provider as Provider } : {}),
  shown: values.shown,
  write: (line) => console.log(line),
});
const seconds = (performance.now() - began) / 1000;
console.log(
  `${report.schedules} schedules, ${report.polls} polls, ${report.faults} faults of the mirror, ${seconds.toFixed(0)} s (${process.cpuUsage().user / 1e6} s of the processor): ${report.broken} schedules break an invariant`,
);
for (const [kind, count] of report.kinds) console.log(`  ${kind}: ${count}`);
process.exitCode = report.broken > 0 ? 1 : 0;
