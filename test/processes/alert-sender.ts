// Evaluates the watches of a database on the demo world and delivers their alerts, as the service does, until it kills itself
// at a moment that is named, or is killed. Run by alert-kills.test.ts.

import { DeliveryQueue } from "#server/alerts/delivery-queue.ts";
import { openAlerts } from "#server/context/alerts.ts";
import { openWatches } from "#server/context/watches.ts";
import { realClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";
import { smtpMailer } from "#server/platform/mail.ts";
import { createMetrics } from "#server/platform/metrics.ts";
import { WatchStore } from "#server/watches/store.ts";
import { demoArchive } from "#test/demo-archive.ts";

const [databaseUrl, dataDir, smtpUrl, time, moment] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const now = Number(time);

function dieAt(reached: string): void {
  if (reached === moment) process.kill(process.pid, "SIGKILL");
}

const { conclude } = WatchStore.prototype;
WatchStore.prototype.conclude = async function (...evaluated) {
  const done = await conclude.apply(this, evaluated);
  dieAt("when the evaluation is written");
  return done;
};
const { delivered } = DeliveryQueue.prototype;
DeliveryQueue.prototype.delivered = async function (claim) {
  dieAt(`before ${claim.channel.kind} is recorded as sent`);
  await delivered.call(this, claim);
};

const database = await openDatabase({ dataDir, databaseUrl });
const archive = demoArchive(now);
const log = createLogger("warn", [], standardOutput());
openAlerts(
  { alertNetworks: ["127.0.0.1"], publicUrl: "http://localhost:9" },
  {
    database,
    mailer: smtpMailer(smtpUrl, "Open MetOcean <service@example.org>"),
    secret: "of the test",
    clock: realClock,
    log,
    metrics: createMetrics(),
    version: "test",
  },
);
openWatches(database, {
  archive,
  storms: { published: async () => undefined },
  tides: {
    beyond: async () => {
      throw new Error("No watch asks for the tide");
    },
  },
  weather: { now: () => now },
  log,
}).start();
