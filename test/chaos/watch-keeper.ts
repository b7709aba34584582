import { alertMessage } from "#lib/watches/message.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { AlertWays } from "./alert-ways.ts";
import { untilNone } from "./until-none.ts";

const PLACES = 14;
const OF_RUNS = 6;

/** Watches and channels of some owners, checked by their database and their receivers. */
export class WatchKeeper {
  readonly #url: string;
  readonly #ways: AlertWays;
  readonly #tables: PrismaClient;
  /** Only evaluations after this time belong to the present run. */
  #since = new Date(0);

  constructor(url: string, ways: AlertWays, tables: PrismaClient) {
    this.#url = url;
    this.#ways = ways;
    this.#tables = tables;
  }

  /** Creates the channels and watches of an owner. */
  async settle(key: string): Promise<void> {
    const { webhook, topic } = this.#ways;
    const channels = [
      { kind: "webhook", target: `${webhook.url}/${key.slice(0, 8)}` },
      { kind: "ntfy", target: `${topic.url}/${key.slice(-8).replaceAll(/\W/g, "x")}` },
      { kind: "mail", target: `${key.slice(-8).replaceAll(/\W/g, "x")}@example.org` },
    ];
    for (const channel of channels) await this.#post(key, "/channels", channel);
    const before = this.#confirmed.size;
    await untilNone(async () => (this.#ways.links().length > before ? 0 : 1), 30);
    for (const link of this.#ways.links()) {
      if (this.#confirmed.has(link.channel)) continue;
      await this.#post(key, "/channels/confirm", link);
      this.#confirmed.add(link.channel);
    }
    for (let at = 0; at < PLACES; at++) {
      const question = {
        kind: "place",
        latitude: (at % 2 === 0 ? 40 : -45) + at,
        longitude: -60 + 11 * at,
        window_hours: 24,
        conditions: [{ quantity: "gust_kt", over: 24 + (at % 4) * 4 }],
      };
      await this.#post(key, "/watches", { name: `place ${at}`, question });
    }
    for (let at = 0; at < OF_RUNS; at++)
      await this.#post(key, "/watches", { name: `run ${at}`, question: { kind: "new_run" } });
  }

  readonly #confirmed = new Set<string>();

  /** From now on only evaluations of a later run count. */
  async nextRun(): Promise<void> {
    const [clock] = await this.#tables.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
    this.#since = clock!.now;
  }

  /** Number of watches that have not seen the present run, and of deliveries that are not made. */
  async waiting(): Promise<number> {
    const unseen = await this.#tables.watch.count({
      where: { OR: [{ evaluatedAt: null }, { evaluatedAt: { lt: this.#since } }] },
    });
    return unseen + (await this.#tables.alertDelivery.count({ where: { state: "PENDING" } }));
  }

  /** The alerts of each watch in order. Watches of different owners have the same names. */
  async alerts(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    const rows = await this.#tables.alert.findMany({ orderBy: [{ owner: "asc" }, { createdAt: "asc" }] });
    for (const { kind, owner, payload } of rows) {
      const { watch_name, run_at, value } = alertMessage.parse(payload);
      const name = `${owner}: ${watch_name}`;
      const text = [kind, run_at, value?.toFixed(3)].join(" ");
      found.set(name, [...(found.get(name) ?? []), text]);
    }
    return found;
  }

  /** Compares what each way has received with what should have been sent. */
  async account(): Promise<{ deliveries: number; repeats: number; faults: string[] }> {
    const rows = await this.#tables.alertDelivery.findMany({});
    const kinds = new Map((await this.#tables.alertChannel.findMany({})).map(({ id, kind }) => [id, kind]));
    const alerts = await this.#tables.alert.count();
    const arrived = this.#ways.arrived();
    const faults: string[] = [];
    let repeats = 0;
    for (const { id, state, channelId, error } of rows) {
      const kind = kinds.get(channelId) as keyof typeof arrived;
      const times = arrived[kind].get(id) ?? 0;
      arrived[kind].delete(id);
      if (state !== "SENT" || times === 0)
        faults.push(`${id} by ${kind}: ${state}, came ${times} times, ${error}`);
      repeats += Math.max(0, times - 1);
    }
    for (const [kind, rest] of Object.entries(arrived))
      for (const id of rest.keys()) faults.push(`${id} came by ${kind}, and is of no delivery`);
    if (rows.length !== 3 * alerts)
      faults.push(`${alerts} alerts have ${rows.length} deliveries by three ways`);
    return { deliveries: rows.length, repeats, faults };
  }

  async #post(key: string, operation: string, body: object): Promise<void> {
    const reply = await fetch(this.#url + operation, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${operation}: ${reply.status} ${await reply.text()}`);
  }
}
