import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { openDatabase } from "#server/platform/db.ts";
import { labOptions } from "#test/lab-options.ts";
import { startPostgres, type TestServer } from "#test/postgres.ts";
import { unusedPort } from "#test/unused-port.ts";
import { AlertWays } from "./alert-ways.ts";
import { newKey } from "./new-key.ts";
import { isReadyAt, servicePart } from "./part.ts";
import { untilNone } from "./until-none.ts";
import { WatchKeeper } from "./watch-keeper.ts";

const START = parseInstant("2026-12-31T22:00:00Z");
const CYCLE_S = 6 * HOUR_S;
/** Most runs, because a watch sends twelve alerts an hour at most. */
const MAX_RUNS = 10;
/** Longest wait, seconds. A killed process's claims end after 20 s (evaluation) and 30 s (delivery). */
const MAX_WAIT_S = 90;
/** Longest pause before a kill, milliseconds: the time of evaluation and delivery of a run after a start. */
const MAX_PAUSE_MS = 1500;

const { kills } = labOptions(
  `Kills the service with kill −9 while it evaluates watches and while it delivers what they found. Each run of the demo world is
published by a start with a later clock; then the same runs are given to a service that nobody kills. Wrong is an alert
that is missing, twice or another one than without kills, or that came by a way under two ids. One that came before a kill may
come again under its id: that is how its receiver knows it.`,
  { kills: [20, "in all runs"] },
);
const runs = Math.min(MAX_RUNS, Math.max(2, Math.ceil(kills / 2)));
const owners = ["one", "two"];
const complaints: string[] = [];

const server = await startPostgres();
const killed = await play(server, runs, kills);
const calm = await play(server, runs, 0);
await server.stop();

for (const [name, alerts] of calm.alerts) {
  const found = killed.alerts.get(name) ?? [];
  if (JSON.stringify(found) !== JSON.stringify(alerts))
    complaints.push(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(alerts)}`);
}
for (const complaint of complaints) console.error(complaint);
const { alerts, deliveries, repeats, waited } = killed;
const count = [...alerts.values()].flat().length;
console.log(
  `${kills} kills; ${count} alerts, ${deliveries} deliveries, ` +
    `${repeats} of them again under their id; all done at most ${waited.toFixed(1)} s after a restart; ${complaints.length} complaints`,
);
process.exit(complaints.length === 0 ? 0 : 1);

/** Publishes runs one after another, with kills during each. */
async function play(postgres: TestServer, runs: number, kills: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-chaos-"));
  const ways = await AlertWays.open();
  const databaseUrl = await postgres.createDatabase("migrated");
  const database = await openDatabase({ dataDir: folder, databaseUrl });
  const port = await unusedPort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    METOCEAN_NOW: formatInstant(START),
    SMTP_URL: ways.smtp.url,
    ALERT_NETWORKS: "127.0.0.1",
    LOG_LEVEL: "warn",
  };
  const keys: string[] = [];
  for (const owner of owners) keys.push(await newKey(owner, env));
  const log = path.join(folder, "server.log");
  const service = servicePart("service", { env, log, isReady: () => isReadyAt(url) });
  const keeper = new WatchKeeper(url, ways, database.prisma);
  let waited = 0;
  let left = kills;
  try {
    await service.replace();
    for (const key of keys) await keeper.settle(key);
    for (let run = 0; run < runs; run++) {
      if (run > 0) {
        await keeper.nextRun();
        service.options.env.METOCEAN_NOW = formatInstant(START + run * CYCLE_S);
        await service.replace();
      }
      const share = Math.ceil(left / (runs - run));
      for (let each = 0; each < share; each++, left--) {
        // The pause lasts while there is something to do.
        await delay(MAX_PAUSE_MS * Math.random());
        await service.replace();
      }
      const seconds = await untilNone(() => keeper.waiting(), MAX_WAIT_S);
      waited = Math.max(waited, seconds);
      if (seconds > MAX_WAIT_S)
        complaints.push(`Run ${run}: ${await keeper.waiting()} not done after ${MAX_WAIT_S} s`);
      if (kills > 0)
        console.log(`run ${run + 1} of ${runs}: ${kills - left} kills, done after ${seconds.toFixed(1)} s`);
    }
    const { deliveries, repeats, faults } = await keeper.account();
    complaints.push(...faults);
    return { alerts: await keeper.alerts(), deliveries, repeats, waited };
  } finally {
    await service.kill();
    await database.close();
    await ways.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
