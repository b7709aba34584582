import type { Provider } from "@open-metocean/storms/bulletin";
import { labOptions } from "#test/lab-options.ts";
import { demoLibrary, readLibrary, replay } from "./run.ts";

const values = labOptions(
  `Seasons of decks and bulletins, read every hour while the mirror cuts, loses and repeats texts. Wrong is a schedule that
breaks an invariant (test/storms-replay/invariants.ts).`,
  {
    samples: ["", "a directory of decks and bulletins; without it, of the demo's storms"],
    schedules: [100, "of faults"],
    seed: [1, "of the first schedule"],
    provider: ["", "jtwc or jma"],
  },
);
const library = values.samples
  ? await readLibrary(values.samples)
  : demoLibrary(Date.UTC(2026, 6, 1) / 1000, 60);
console.log(`${library.decks.length} decks, ${library.archives.length} archives of bulletins`);
const { polls, faults, broken } = await replay({
  library,
  schedules: values.schedules,
  seed: values.seed,
  ...(values.provider ? { provider: values.provider as Provider } : {}),
});
for (const schedule of broken) console.log(schedule);
console.log(
  `${values.schedules} schedules, ${polls} polls, ${faults} faults of the mirror: ${broken.length} schedules break an invariant`,
);
process.exitCode = broken.length > 0 ? 1 : 0;
