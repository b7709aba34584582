/**
 * Kills servers and workers while tasks run. An email that the mail server accepted just before a kill may arrive twice
 * under one Message-ID. Mailboxes show it once, so it counts once; the number of such repeats is printed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { LEASE_SECONDS } from "#server/tasks/queue.ts";
import { labOptions } from "#test/lab-options.ts";
import { startPostgres } from "#test/postgres.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { unusedPort } from "#test/unused-port.ts";
import { Clients } from "./clients.ts";
import { mailComplaints, messageId } from "./mails.ts";
import { newKey } from "./new-key.ts";
import { isReadyAt, servicePart } from "./part.ts";
import { untilNone } from "./until-none.ts";

/** Weather clock of the demo. */
const DEMO_NOW = "2026-09-15T12:00:00Z";
/** Longest wait, seconds. A killed worker keeps its task until its lease ends. */
const MAX_WAIT_S = 20 + LEASE_SECONDS;
/** Number of kills between two inspections. */
const ROUND = 10;
/** Every fifth kill hits an idle service. */
const IDLE = 5;

const values = labOptions(
  `Kills the service with kill −9 at random moments while clients submit tasks, and a fifth of the times when nothing is to be
done: one process with the embedded database, then three processes with DATABASE_URL. Wrong is a task that was lost, changed
after its end, waited for more than ${MAX_WAIT_S} s after a restart, or was not reported in exactly one mail.`,
  {
    kills: [200, "of all processes"],
    only: ["", "embedded or url: one of the two databases"],
  },
);
const { kills } = values;
let complained = 0;

const embedded = values.only === "url" ? 0 : values.only === "embedded" ? kills : Math.ceil(kills / 2);
if (embedded > 0) await chaos("embedded", embedded, ["all"], {});
if (kills > embedded) {
  const server = await startPostgres();
  await chaos("DATABASE_URL", kills - embedded, ["web", "worker", "worker"], {
    DATABASE_URL: await server.createDatabase("empty"),
  });
  await server.stop();
}
process.exit(complained === 0 ? 0 : 1);

async function chaos(
  name: string,
  kills: number,
  roles: readonly string[],
  database: Record<string, string>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-chaos-"));
  const smtp = await openSmtpStub();
  const port = await unusedPort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...database,
    ...{
      METOCEAN_NOW: DEMO_NOW,
      SMTP_URL: smtp.url,
      LOG_LEVEL: "warn",
      DATA_DIR: folder,
      PORT: String(port),
    },
  };
  // The keys are created one after another, because the first command creates the database.
  const keys: string[] = [];
  for (const owner of ["one", "one", "two"]) keys.push(await newKey(owner, env));
  // The first process answers requests.
  const processes = roles.map((ROLE, index) =>
    servicePart(`${ROLE}${index}`, {
      env: { ...env, ROLE },
      log: path.join(folder, "server.log"),
      isReady: () => isReadyAt(url),
    }),
  );
  const clients = new Clients(url, DEMO_NOW, "wind");
  const complaints: string[] = [];
  let longest = 0;
  const quiet = async () => {
    await clients.pause();
    const waited = await untilNone(() => clients.pending(keys), 2 * MAX_WAIT_S);
    longest = Math.max(longest, waited);
    return waited;
  };
  try {
    for (const each of processes) each.start();
    await processes[0]!.ready();
    clients.start(keys);
    for (let killed = 1; killed <= kills; killed++) {
      const isIdle = killed % IDLE === 0;
      if (isIdle) await quiet();
      else await delay(Math.random() * 2500);
      await processes[Math.floor(Math.random() * processes.length)]!.replace();
      if (isIdle) clients.resume();
      if (killed % ROUND !== 0 && killed !== kills) continue;
      const waited = await quiet();
      complaints.push(...(await clients.inspectNew()));
      console.log(
        `${name}: ${killed} kills, ${clients.acknowledged.length} tasks, last ended after ${waited.toFixed(1)} s`,
      );
      clients.resume();
    }
    await clients.stop();
    await untilNone(() => clients.pending(keys), 2 * MAX_WAIT_S);
    complaints.push(...(await clients.inspectAll()));
    complaints.push(...(await mailComplaints(smtp, clients.acknowledged)));
  } finally {
    for (const each of processes) await each.kill();
    await smtp.close();
  }
  if (longest > MAX_WAIT_S) complaints.push(`A task ended ${longest.toFixed(1)} s after the restart`);
  for (const complaint of complaints) console.error(`${name}: ${complaint}`);
  complained += complaints.length;
  report(name, kills, clients, smtp, longest, complaints.length);
  if (complaints.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.error(`${name}: its files are in ${folder}`);
}

function report(
  name: string,
  kills: number,
  { acknowledged }: Clients,
  { emails }: SmtpStub,
  longest: number,
  complaints: number,
): void {
  const ended = (status: string) => acknowledged.filter(({ ended }) => ended?.status === status).length;
  const ids = new Set(emails.map(({ raw }) => messageId(raw)));
  console.log(
    `${name}: ${kills} kills; ${acknowledged.length} tasks acknowledged, ${ended("SUCCESS")} SUCCESS, ` +
      `${ended("FAILURE")} cancelled; the last ended at most ${longest.toFixed(1)} s after a restart; ` +
      `${ids.size} mails, ${emails.length - ids.size} of them twice under one Message-ID; ${complaints} complaints`,
  );
}
