import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** Clients that ask at once for values of an archive in which one run replaces another, again and again. */
export class Readers {
  /** Answers of the old run, of the new one, and attempts while no server was there. */
  readonly counts = { answers: 0, changes: 0, unanswered: 0 };
  readonly complaints: string[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #body: string;
  readonly #known = new Set<string>();
  #last = "";
  #stopped = false;
  #running: Promise<void> | undefined;

  /** @param time Instant of the places. */
  constructor(url: string, key: string, time: string) {
    this.#url = url;
    this.#key = key;
    // Places all over the world, so that they lie in many chunks.
    const points = Array.from({ length: 400 }, (_, index) => ({
      latitude: -60 + 6 * (index % 20) + 0.1,
      longitude: -170 + 17 * Math.floor(index / 20) + 0.1,
      timestamp: time,
    }));
    this.#body = JSON.stringify({ points, variables: ["sst"] });
  }

  /** Learns the answer of the run that is published now, when nobody writes. @throws Error if there is none. */
  async learn(): Promise<void> {
    const answer = await this.#ask();
    if (answer === undefined) throw new Error(`No answer of the whole run: ${this.complaints.join("; ")}`);
    this.#known.add(answer);
  }

  get known(): number {
    return this.#known.size;
  }

  start(): void {
    this.#running = (async () => {
      while (!this.#stopped) {
        await this.look();
        await delay(30);
      }
    })();
  }

  /** Asks once: the answer has to be that of one of the learned runs. */
  async look(): Promise<void> {
    const answer = await this.#ask();
    if (answer === undefined) {
      this.counts.unanswered++;
      return;
    }
    this.counts.answers++;
    if (this.#last !== "" && this.#last !== answer) this.counts.changes++;
    this.#last = answer;
    if (!this.#known.has(answer)) this.complaints.push("An answer is of neither run");
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** @returns A digest of the values; undefined while no server answers. */
  async #ask(): Promise<string | undefined> {
    let status: number;
    let text: string;
    try {
      const headers = { "x-api-key": this.#key, "content-type": "application/json" };
      const reply = await fetch(`${this.#url}/MetOcean`, { method: "POST", headers, body: this.#body });
      status = reply.status;
      text = await reply.text();
    } catch {
      return undefined;
    }
    if (status === 503) return undefined;
    if (status !== 200) {
      this.complaints.push(`A reader was answered ${status}: ${text.slice(0, 200)}`);
      return undefined;
    }
    const { result } = JSON.parse(text) as { result?: { results: unknown } };
    if (result === undefined) {
      this.complaints.push(`A reader was answered ${text.slice(0, 200)}`);
      return undefined;
    }
    return createHash("sha256").update(JSON.stringify(result.results)).digest("hex");
  }
}
