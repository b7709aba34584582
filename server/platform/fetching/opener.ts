import type { OutgoingHttpHeaders } from "node:http";
import type { Clock } from "#server/platform/clock.ts";
import { type Announced, type Asked, announcedBy, ifMatchHeader, outcomeOf, sameVersion } from "./answer.ts";
import type { ByteBudget } from "./byte-budget.ts";
import type { ClockError } from "./clock-error.ts";
import {
  BrokenError,
  CutError,
  FetchError,
  HostNotAllowedError,
  ReplacedError,
  ThrottledError,
} from "./errors.ts";
import { type Answer, type Connections, exchange, type TimeLimits } from "./exchange.ts";
import type { GetOptions } from "./get-options.ts";
import { HostGate, type HostRules } from "./host-gate.ts";
import type { Sleep } from "./sleep.ts";

interface OpenerDeps {
  hosts: Readonly<Record<string, HostRules>>;
  mirror?: string;
  userAgent: string;
  clock: Clock;
  sleep: Sleep;
  connections: Connections;
  limits: TimeLimits;
  budget: ByteBudget;
  clockError?: ClockError | undefined;
}

/** An answer that has the wanted bytes. It must be closed. */
export interface Opened {
  host: string;
  path: string;
  announced: Announced;
  /** Once. @throws CutError; BrokenError; the signal's reason. */
  bytes(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

interface Target {
  host: string;
  path: string;
  /** Where it is asked for. */
  address: URL;
  gate: HostGate;
  throttledBy: readonly number[];
}

/** A host that asks for fewer requests, and does not say for how long, is left alone by all of them. */
const PAUSE_S = 5;

/** Asks hosts for objects, within their rules and the byte budget, and checks what they announce. */
export class Opener {
  readonly #deps: OpenerDeps;
  readonly #gates = new Map<string, HostGate>();

  constructor(deps: OpenerDeps) {
    this.#deps = deps;
  }

  /**
   * One request.
   *
   * @throws FetchError; the signal's reason.
   */
  async open(url: string, options: GetOptions): Promise<Opened | "unchanged" | "absent"> {
    const { clock, connections, limits, budget, clockError } = this.#deps;
    const target = this.#target(url);
    const { host, path } = target;
    const { range, signal } = options;
    const reserved = budget.reservation();
    const leave = await target.gate.enter(signal);
    let ended = false;
    const end = async (arrived: number) => {
      if (ended) return;
      ended = true;
      leave();
      await reserved.settle(arrived);
    };
    let answer: Answer | undefined;
    try {
      await reserved.raise(host, range?.to === undefined ? 0 : range.to - range.from);
      const headers = this.#headers(options);
      answer = await exchange(connections, host, target.address, { headers, limits, signal });
      // FEED_MIRROR is one host, whosever objects it has.
      clockError?.observe(target.address.host, answer.headers.date, clock.now());
      const asked: Asked = { host, path, range, throttledBy: target.throttledBy, now: clock.now() };
      const outcome = outcomeOf(asked, answer.status, answer.headers);
      if (outcome === "unchanged" && options.etag === undefined && options.modifiedSince === undefined)
        throw new BrokenError(host, path, "it is said to be unchanged, though nothing was compared");
      if (outcome !== undefined) {
        answer.discard();
        await end(0);
        return outcome;
      }
      const announced = announcedBy(asked, answer.status, answer.headers);
      if (options.ifMatch && !sameVersion(options.ifMatch, announced)) throw new ReplacedError(host, path);
      if ((announced.length ?? 0) > options.maxBytes) throw tooLong(target, options.maxBytes);
      await reserved.raise(host, announced.length ?? 0);
      const opened = answer;
      return {
        host,
        path,
        announced,
        bytes: () => checked(target, opened, announced, options, reserved.raise, end),
        async close() {
          if (!ended) opened.discard();
          await end(0);
        },
      };
    } catch (error) {
      answer?.discard();
      if (error instanceof ThrottledError && answer)
        target.gate.closeUntil(error.retryAt ?? clock.now() + PAUSE_S, answer.status);
      await end(0);
      throw error;
    }
  }

  #headers({ etag, modifiedSince, ifMatch, range, into, headers }: GetOptions): OutgoingHttpHeaders {
    return {
      "user-agent": this.#deps.userAgent,
      accept: "*/*",
      // What goes to a file arrives as it is stored: a compressed body has no ranges.
      "accept-encoding": range === undefined && into === undefined ? "gzip" : "identity",
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(modifiedSince !== undefined && {
        "if-modified-since": new Date(modifiedSince * 1000).toUTCString(),
      }),
      ...ifMatchHeader(ifMatch),
      // Several ranges at once would be answered with the whole object by S3.
      ...(range && { range: `bytes=${range.from}-${range.to === undefined ? "" : range.to - 1}` }),
      ...(this.#deps.mirror === undefined && headers),
    };
  }

  #target(url: string): Target {
    const { hosts, mirror, clock, sleep } = this.#deps;
    const parsed = URL.parse(url);
    const host = parsed?.host ?? "";
    const rules = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
    if (!parsed || !rules || parsed.protocol !== "https:" || parsed.username !== "" || parsed.password !== "")
      throw new HostNotAllowedError(host, url);
    const path = parsed.pathname + parsed.search;
    const gate = this.#gates.get(host) ?? new HostGate(host, rules, clock, sleep);
    this.#gates.set(host, gate);
    const address = mirror === undefined ? parsed : new URL(`${mirror.replace(/\/+$/, "")}/${host}${path}`);
    return { host, path, address, gate, throttledBy: rules.throttledBy ?? [] };
  }
}

/** The bytes of an answer; throws where they are fewer or more than announced. Frees its place in the end. */
async function* checked(
  { host, path }: Target,
  answer: Answer,
  { length }: Announced,
  { maxBytes, signal }: GetOptions,
  raise: (host: string, bytes: number) => Promise<void>,
  end: (arrived: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let arrived = 0;
  try {
    for await (const bytes of answer.body()) {
      arrived += bytes.length;
      if (arrived > Math.min(length ?? Number.POSITIVE_INFINITY, maxBytes))
        throw tooLong({ host, path }, maxBytes);
      if (length === undefined) await raise(host, arrived);
      yield bytes;
    }
    if (length !== undefined && arrived < length) throw new Error(`${arrived} of ${length} bytes`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError && !error.retry) throw error;
    const what = `it ended after ${arrived} of ${length ?? "unknown"} bytes; ${(error as Error).message}`;
    throw new CutError(host, path, what, { cause: error });
  } finally {
    await end(arrived);
  }
}

function tooLong({ host, path }: { host: string; path: string }, maxBytes: number): BrokenError {
  return new BrokenError(host, path, `it is longer than announced, or than ${maxBytes} bytes`);
}
