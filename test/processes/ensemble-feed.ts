// Fetches and publishes a cycle of an ensemble until it kills itself at a named moment. ensemble-kills.test.ts runs it.

import { ensembleRound } from "#test/feeds-week/ensemble-round.ts";

const [mirror, folder, moment] = process.argv.slice(2) as [string, string, string];

await ensembleRound(mirror, folder, (now) => {
  if (now === moment) process.kill(process.pid, "SIGKILL");
});
