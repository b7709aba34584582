import type { AlertMessage } from "#lib/watches/message.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { type Metrics, singleValue } from "#server/platform/metrics.ts";
import { Poller } from "#server/platform/poller.ts";
import type { AlertTables, Busy, Claim, DeliveryQueue } from "./delivery-queue.ts";
import { failed, type Outcome, retrySeconds } from "./send-alert.ts";

export interface AlertLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface DeliveriesDeps {
  queue: DeliveryQueue;
  /** `sendAlert` with its dependencies. */
  send: (channel: Claim["channel"], facts: Claim["facts"], signal: AbortSignal) => Promise<Outcome>;
  /** Whether emails are sent. Without a mail server they wait. */
  sendsMail: boolean;
  /** Returns a random number in [0, 1). */
  random: () => number;
  log: AlertLog;
}

/** Most requests of this process in progress: in all, to one host, and of one owner. */
const MAX_SENDING = { all: 32, host: 2, owner: 4 };

/** Most tests in progress. People wait for them, so they have places of their own. */
const MAX_TESTING = { all: 16, owner: 2 };
const TESTING_RETRY_S = 10;

const POLL_MS = 1_000;
const SWEEP_MS = 3_600_000;

/** Time for which a stopping process waits for deliveries in progress before it releases them, milliseconds. */
const DRAIN_MS = 5_000;

/**
 * Delivers alerts, at least once each, under an id that does not change.
 *
 * A delivery is claimed, sent, and recorded. If the process is killed between the last two, the claim ends and the next
 * attempt has the same id. A slow target occupies only places of its host and its owner. A free place goes to the owner
 * with the fewest, however long the deliveries of others have waited.
 */
export class Deliveries {
  readonly #deps: DeliveriesDeps;
  readonly #sending = new Map<string, { claim: Claim; isTest: boolean; done: Promise<void> }>();
  readonly #stop = new AbortController();
  readonly #claiming: Poller;
  readonly #sweeping: Poller;
  #isClosing = false;
  /** Counts since this process began. */
  readonly counts = { delivered: 0, failed: 0, disabled: 0 };

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
    const onError = (message: string) => (err: unknown) => deps.log.warn({ err }, message);
    this.#claiming = new Poller({
      everyMs: POLL_MS,
      work: () => this.#claimAll(),
      onError: onError("alerts cannot be read"),
    });
    this.#sweeping = new Poller({
      everyMs: SWEEP_MS,
      work: () => deps.queue.sweep(),
      onError: onError("old deliveries were not removed"),
    });
  }

  start(): void {
    this.#claiming.start();
    this.#sweeping.start();
  }

  get sending(): number {
    return this.#sending.size;
  }

  /** Begins to send due deliveries. It never rejects: a later poll retries a failed one. */
  poll(): Promise<void> {
    return this.#claiming.poll();
  }

  /** Resolves when nothing is in progress. */
  async settled(): Promise<void> {
    await this.#claiming.running;
    while (this.#sending.size > 0) await Promise.all([...this.#sending.values()].map(({ done }) => done));
  }

  /**
   * Sends a test to a channel in the same way as an alert.
   *
   * @returns undefined where the owner has no such channel, or it is unconfirmed.
   * @throws UnavailableError where too many tests are being sent.
   */
  async test(owner: string, channelId: string, message: AlertMessage): Promise<Outcome | undefined> {
    const testing = this.#claims(true);
    const own = testing.filter((claim) => claim.owner === owner);
    if (testing.length >= MAX_TESTING.all || own.length >= MAX_TESTING.owner)
      throw new UnavailableError("Other tests still wait for their targets", TESTING_RETRY_S);
    const claim = await this.#deps.queue.claimTest(owner, channelId, message);
    return claim && this.#deliver(claim, true);
  }

  /** Ends deliveries in progress soon, and releases those that could not be sent. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.#claiming.close(), this.#sweeping.close()]);
    const cut = setTimeout(() => this.#stop.abort(), DRAIN_MS);
    await this.settled();
    clearTimeout(cut);
  }

  async #claimAll(): Promise<void> {
    while (!this.#isClosing && this.#claims(false).length < MAX_SENDING.all) {
      const claim = await this.#deps.queue.claim(this.#busy());
      if (!claim) return;
      void this.#deliver(claim, false).then(() => this.poll());
    }
  }

  #claims(isTest: boolean): Claim[] {
    return [...this.#sending.values()].filter((each) => each.isTest === isTest).map(({ claim }) => claim);
  }

  #busy(): Busy {
    const claims = this.#claims(false);
    const sending = claims.map(({ owner }) => owner);
    return {
      hosts: repeated(
        claims.map(({ channel }) => channel.host),
        MAX_SENDING.host,
      ),
      owners: repeated(sending, MAX_SENDING.owner),
      sending,
      kinds: this.#deps.sendsMail ? [] : ["mail"],
    };
  }

  async #deliver(claim: Claim, isTest: boolean): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sending.set(claim.facts.id, { claim, isTest, done: promise });
    try {
      const outcome = await this.#send(claim);
      if (outcome) await this.#record(claim, outcome);
      else await this.#deps.queue.release(claim);
      return outcome ?? failed("service", "this service stops");
    } catch (error) {
      // The claim ends, and at worst the alert is sent again under its id.
      const fields = { err: error, delivery: claim.facts.id };
      this.#deps.log.warn(fields, "what came of an alert could not be written");
      return failed("service", "this service failed");
    } finally {
      this.#sending.delete(claim.facts.id);
      resolve();
    }
  }

  /** @returns undefined where the process stops. */
  async #send(claim: Claim): Promise<Outcome | undefined> {
    try {
      return await this.#deps.queue.hold(
        claim,
        () => this.#deps.send(claim.channel, claim.facts, this.#stop.signal),
        (err) => this.#deps.log.warn({ err, delivery: claim.facts.id }, "an alert may be sent twice"),
      );
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      this.#deps.log.warn({ err: error, delivery: claim.facts.id }, "an alert could not be made");
      return failed("service", "this service failed");
    }
  }

  async #record(claim: Claim, outcome: Outcome): Promise<void> {
    const { queue, random, log } = this.#deps;
    const { kind, id } = claim.channel;
    if (outcome.kind === "delivered") {
      this.counts.delivered++;
      return queue.delivered(claim);
    }
    this.counts.failed++;
    log.info(
      { channel: id, kind, attempts: claim.attempts, error: outcome.error },
      "an alert was not delivered",
    );
    if (claim.facts.message.kind === "test") return queue.testFailed(claim, outcome);
    const disabled =
      outcome.kind === "gone"
        ? await queue.disable(claim, outcome)
        : await queue.failed(claim, outcome, retrySeconds(claim.attempts, outcome.retryAfterS, random()));
    if (disabled) this.counts.disabled++;
  }
}

/** Texts that occur at least this often. */
function repeated(texts: readonly string[], times: number): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([text]) => text);
}

/** Adds metrics of waiting deliveries, which cover all processes, and of this process's deliveries. */
export function observeDeliveries(
  metrics: Pick<Metrics, "gauge" | "gauges">,
  tables: Pick<AlertTables, "$queryRaw">,
  deliveries: Pick<Deliveries, "counts">,
): void {
  metrics.gauges(
    "alert_attempts",
    "Alerts that this process delivered, attempts that failed, and channels that it disabled",
    "outcome",
    async () => new Map(Object.entries(deliveries.counts)),
  );
  metrics.gauge("alerts_waiting", "Alerts that are still to be delivered", () =>
    singleValue(tables.$queryRaw`
        SELECT count(*) AS value FROM alert_delivery d JOIN alert_channel c ON c.id = d.channel_id
        WHERE d.state = 'PENDING' AND c.disabled_at IS NULL AND c.verified_at IS NOT NULL`),
  );
  metrics.gauge(
    "alerts_wait_seconds",
    "Seconds since the oldest undelivered alert was found; 0 without one",
    () =>
      singleValue(tables.$queryRaw`
        SELECT coalesce(extract(epoch FROM now() - min(d.created_at)), 0)::float8 AS value
        FROM alert_delivery d JOIN alert_channel c ON c.id = d.channel_id
        WHERE d.state = 'PENDING' AND c.disabled_at IS NULL AND c.verified_at IS NOT NULL`),
  );
}
