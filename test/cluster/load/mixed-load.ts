import { setTimeout as delay } from "node:timers/promises";
import { Clients } from "#test/chaos/clients.ts";
import { mailComplaints, messageId } from "#test/chaos/mails.ts";
import { untilNone } from "#test/chaos/until-none.ts";
import { seeded } from "#test/seeded.ts";
import type { Cluster } from "../cluster.ts";
import { Callers, type Failure } from "./callers.ts";
import { ask, knownRequests } from "./catalogue.ts";
import { Streams } from "./streams.ts";

/** Callers at the same time. */
const CALLERS = 4;
/** Longest wait for the last task when nobody submits any more. */
const MAX_WAIT_S = 120;
/** Results of tasks that are compared with those of the single machine. */
const COMPARED_TASKS = 25;
/** Share of the tasks that are followed by an event stream. */
const FOLLOWED = 0.5;

/** Points, boxes, storms, tasks with e-mail and event streams through the reverse proxy, each answer compared. */
export class MixedLoad {
  readonly clients: Clients;
  readonly callers: Callers;
  readonly streams: Streams;
  /** Longest wait for the last task, seconds. */
  longestWaitS = 0;
  readonly #cluster: Cluster;
  readonly #seed: number;
  #stopped = false;
  #following: Promise<void> | undefined;

  private constructor(cluster: Cluster, seed: number, callers: Callers) {
    const { url, options } = cluster;
    this.#cluster = cluster;
    this.#seed = seed;
    this.clients = new Clients(url, options.now, "wind", seeded(seed));
    this.callers = callers;
    this.streams = new Streams(url);
  }

  /** Learns the answers of the single machine, and begins. */
  static async start(cluster: Cluster, seed: number): Promise<MixedLoad> {
    const { url, singleUrl, loadKey, options } = cluster;
    await untilNone(() => replicasWithoutStorms(cluster), MAX_WAIT_S);
    const known = await knownRequests(singleUrl, loadKey, options.now, seed);
    const load = new MixedLoad(cluster, seed, new Callers(url, loadKey, known));
    load.resume();
    load.callers.start(CALLERS, seed);
    load.clients.start(cluster.keys);
    return load;
  }

  /** Event streams from now on. */
  private resume(): void {
    const random = seeded(this.#seed + 1);
    let known = 0;
    this.#following = (async () => {
      while (!this.#stopped) {
        const { acknowledged } = this.clients;
        for (; known < acknowledged.length; known++) {
          const { id, key } = acknowledged[known]!;
          // Ten, so that the streams of a key, sixteen, suffice where all come to one replica.
          if (this.streams.following < 10 && random() < FOLLOWED) this.streams.follow(id, key);
        }
        await delay(100);
      }
    })();
  }

  /** Submits nothing new until every accepted task has ended, and reads those that are new. @returns Complaints. */
  async inspect(): Promise<string[]> {
    const { clients } = this;
    await clients.pause();
    await this.#untilAllEnded();
    const complaints = await clients.inspectNew();
    clients.resume();
    return complaints;
  }

  async #untilAllEnded(): Promise<void> {
    const waited = await untilNone(() => this.clients.pending(this.#cluster.keys), MAX_WAIT_S);
    this.longestWaitS = Math.max(this.longestWaitS, waited);
  }

  /** Ends, reads every accepted task, and judges. @param isExplained Whether a request had to fail. @returns Complaints. */
  async stop(isExplained: (failure: Failure) => boolean): Promise<string[]> {
    const { clients, callers, streams } = this;
    await clients.stop();
    await this.#untilAllEnded();
    const complaints = await clients.inspectAll();
    await callers.stop();
    this.#stopped = true;
    await this.#following;
    await untilNone(async () => streams.following, MAX_WAIT_S);
    if (streams.following > 0) complaints.push(`${streams.following} event streams have no end`);
    await streams.stop();
    complaints.push(...callers.wrong);
    for (const failure of [...callers.failures, ...streams.failures])
      if (!isExplained(failure)) {
        const { servedBy = "a replica that is not known", what, from, to } = failure;
        complaints.push(`failed at ${servedBy}, ${seconds(from)} to ${seconds(to)}: ${what}`);
      }
    complaints.push(...(await mailComplaints(this.#cluster.smtp, clients.acknowledged)));
    complaints.push(...(await this.#compareResults()));
    return complaints;
  }

  /** What was done, for people. */
  summary(): string[] {
    const { clients, callers, streams } = this;
    const { emails } = this.#cluster.smtp;
    const ids = new Set(emails.map(({ raw }) => messageId(raw)));
    const took = callers.took.toSorted((a, b) => a - b);
    const at = (share: number) => `${Math.round(took[Math.floor(share * (took.length - 1))] ?? 0)} ms`;
    const served = [...callers.servedBy].map(([name, count]) => `${name} ${count}`).join(", ");
    return [
      `${callers.answered} answers compared with the single machine, ${callers.wrong.length} wrong; ` +
        `median ${at(0.5)}, 99 of 100 ${at(0.99)}; ${callers.failures.length} failed (${served})`,
      `${clients.acknowledged.length} tasks acknowledged; the last ended ${this.longestWaitS.toFixed(1)} s after the last was ` +
        `accepted; ${ids.size} mails, ${emails.length - ids.size} of them twice under one Message-ID`,
      `${streams.ended} event streams brought the end; ${streams.resumed} resumed when told to, ${streams.broken} broken off`,
    ];
  }

  /** The results of some tasks against the answers of the single machine. */
  async #compareResults(): Promise<string[]> {
    const { url, singleUrl, loadKey } = this.#cluster;
    const complaints: string[] = [];
    const ended = this.clients.acknowledged.filter(({ ended }) => ended?.status === "SUCCESS");
    const step = Math.max(1, Math.floor(ended.length / COMPARED_TASKS));
    for (let at = 0; at < ended.length; at += step) {
      const { id, key, body } = ended[at]!;
      const { points, variables } = JSON.parse(body) as { points: unknown[]; variables: string[] };
      // More are a task on the single machine too.
      if (points.length > 1000) continue;
      const [task, single] = await Promise.all([
        ask(url, key, { method: "GET", path: `/task/${id}` }),
        ask(singleUrl, loadKey, {
          method: "POST",
          path: "/MetOcean",
          body: JSON.stringify({ points, variables }),
        }),
      ]);
      if (resultsOf(task.text) !== resultsOf(single.text))
        complaints.push(`the result of task ${id} is not that of the single machine`);
    }
    return complaints;
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

function resultsOf(text: string): string {
  const { result } = JSON.parse(text) as { result?: { results: unknown } };
  return JSON.stringify(result?.results);
}

/** Replicas that have not received the first bulletins yet: they answer 503 rightly. */
async function replicasWithoutStorms({ replicas, loadKey }: Cluster): Promise<number> {
  const answers = await Promise.all(
    replicas
      .filter(({ role }) => role === "web")
      .map(({ port }) =>
        ask(`http://127.0.0.1:${port}`, loadKey, { method: "GET", path: "/storms?provider=jtwc" }),
      ),
  );
  return answers.filter(({ status }) => status !== 200).length;
}
