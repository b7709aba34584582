import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatInstant } from "#lib/time.ts";
import { startBare, steadyLoads, type Waits } from "./measured-load.ts";
import { MEASURED_KEY, type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";
import { cpuSeconds, memoryMiB } from "./proc.ts";
import { type SlowSocketsReport, startSlowSockets } from "./slow-sockets.ts";

const NOW = Date.UTC(2026, 2, 1, 12) / 1000;
const ROUNDS = 3;
const SECONDS = 7;
const PER_SECOND = 50;
const OPENING_MS = 6_000;
/** All are open, and those whose time is over are being replaced. */
const SETTLING_MS = 4_000;
/** Those of the round before are closed. */
const CLOSING_MS = 2_000;
/** The p99 of others beside them, against that without. */
const LIMIT = 2;

/** 2,000 sockets, a third of each kind. */
const kinds = { headers: 700, bodies: 700, readers: 600 };

const onePoint = JSON.stringify({
  points: [{ latitude: 45, longitude: -30, timestamp: formatInstant(NOW) }],
  variables: ["wind"],
});

/**
 * What others meet while 2,000 sockets send their headers or bodies a byte at a time, or do not read: from eight addresses,
 * which stay within their limits, then from one, which does not. Rounds without and with them in turn, so that whatever else
 * the machine does meets both; the client that times is a process of its own, as are the slow ones and a bare handler that
 * is asked at the same time. Needs the built pages; Linux only. Takes less than three minutes.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-slow-"));
  const server = await startMeasuredServer(folder, NOW);
  const bare = await startBare(300);
  try {
    // What the first requests of a process take is compiling.
    await ask(server, bare);
    for (const addresses of [8, 1]) {
      const without: Round[] = [];
      const beside: Round[] = [];
      let report: SlowSocketsReport | undefined;
      for (let round = 0; round < ROUNDS; round++) {
        without.push(await ask(server, bare));
        const sockets = startSlowSockets(server.url, { ...kinds, addresses, openingMs: OPENING_MS });
        try {
          await delay(OPENING_MS + SETTLING_MS);
          beside.push(await ask(server, bare));
          report = await sockets.report();
        } finally {
          await sockets.stop();
        }
        await delay(CLOSING_MS);
      }
      print(addresses === 1 ? "one address" : `${addresses} addresses`, without, beside);
      const ends = Object.entries(report!.ended).map(([name, count]) => `${name} ${count}`);
      console.log(`  ${report!.open} of them were open; ended: ${ends.join(", ")}`);
    }
  } finally {
    await stopProcess(bare.child);
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

const targets = ["point", "health", "connecting", "bare"] as const;

interface Round {
  waits: Record<(typeof targets)[number], Waits>;
  /** Processor time of the server, share of one. */
  used: number;
  memory: number;
  files: number;
}

async function ask({ child, url }: MeasuredServer, bare: MeasuredServer): Promise<Round> {
  const headers = { "x-api-key": MEASURED_KEY, "content-type": "application/json" };
  const before = await cpuSeconds(child);
  const since = performance.now();
  const waits = await steadyLoads(
    {
      point: { url: `${url}/MetOcean`, headers, bodies: [onePoint], perSecond: PER_SECOND },
      health: { url: `${url}/healthz`, perSecond: PER_SECOND },
      connecting: { url: `${url}/healthz`, perSecond: PER_SECOND / 2, connects: true },
      bare: { url: bare.url, headers, bodies: [onePoint], perSecond: PER_SECOND },
    },
    SECONDS,
  );
  const elapsed = (performance.now() - since) / 1000;
  return {
    waits,
    used: ((await cpuSeconds(child)) - before) / elapsed,
    memory: (await memoryMiB(child)).now,
    files: readdirSync(`/proc/${child.pid}/fd`).length,
  };
}

const names = {
  point: "one point",
  health: "/healthz",
  connecting: "/healthz, new connection",
  bare: "bare handler",
};

/** Medians of the rounds. */
function print(from: string, without: readonly Round[], beside: readonly Round[]): void {
  const of = (rounds: readonly Round[], value: (round: Round) => number) => median(rounds.map(value));
  console.log(`2,000 slow sockets of ${from}, medians of ${ROUNDS} rounds without and with them:`);
  for (const target of targets) {
    const p50 = (rounds: readonly Round[]) => of(rounds, ({ waits }) => waits[target].p50).toFixed(1);
    const [alone, slow] = [without, beside].map((rounds) => of(rounds, ({ waits }) => waits[target].p99));
    console.log(
      `  ${names[target]}: p99 ${alone!.toFixed(1)} → ${slow!.toFixed(1)} ms, ${(slow! / alone!).toFixed(1)} times ` +
        `(limit ${LIMIT}); p50 ${p50(without)} → ${p50(beside)} ms`,
    );
  }
  const text = (rounds: readonly Round[]) =>
    `${(100 * of(rounds, ({ used }) => used)).toFixed(0)} % of a processor, resident ${of(rounds, ({ memory }) => memory).toFixed(0)} MiB, ${of(rounds, ({ files }) => files)} files and sockets`;
  console.log(`  server without: ${text(without)}; with: ${text(beside)}`);
}
