import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { monotonicMs } from "#server/platform/clock.ts";
import { EXIT_CONFIG } from "#server/platform/env.ts";
import type { Logger } from "#server/platform/log.ts";
import { WITH_SERVER } from "./feeds.ts";

const CLI = path.resolve(import.meta.dirname, "../cli.ts");

/** Pause before a process that died is started again. It doubles each time, until a process has run long enough. */
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
const LIVED_MS = 10 * 60_000;
/** Longest time for the process to stop. The next start continues what it was doing. Milliseconds. */
const STOP_MS = 10_000;

export interface FeedsProcess {
  /** Stops the process and resolves when it has ended. */
  close(): Promise<void>;
}

/**
 * Fetches feeds in a process of its own, so that decoding takes neither memory nor time of the server. It has a lower
 * priority and is restarted when it dies. Its standard input ends with this process, even if this process is killed,
 * and then it stops.
 *
 * @param command Command line of the process; `feeds run` of this service by default.
 */
export function startFeedsProcess(
  log: Pick<Logger, "info" | "warn" | "error">,
  command: readonly string[] = [CLI, "feeds", "run", WITH_SERVER],
): FeedsProcess {
  const closing = new AbortController();
  let child: ChildProcess | undefined;

  async function runOnce(): Promise<number | null> {
    const started = spawn(process.execPath, command, { stdio: ["pipe", "inherit", "inherit"] });
    // A process that ends closes its standard input, which is not an error.
    started.stdin.on("error", () => {});
    child = started;
    return new Promise((resolve) => {
      started.once("exit", (code) => resolve(code));
      started.once("error", () => resolve(null));
    });
  }

  const ended = (async () => {
    let pauseMs = MIN_PAUSE_MS;
    while (!closing.signal.aborted) {
      const since = monotonicMs();
      const code = await runOnce();
      if (closing.signal.aborted) return;
      if (code === 0 || code === EXIT_CONFIG) {
        log.error({ code }, "feeds are not fetched: see above");
        return;
      }
      pauseMs = monotonicMs() - since > LIVED_MS ? MIN_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
      log.warn({ code, pauseMs }, "the process that fetches feeds died and is started again");
      await wait(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  })();

  return {
    async close() {
      closing.abort();
      child?.stdin?.end();
      child?.kill("SIGTERM");
      const late = setTimeout(() => {
        log.warn({}, `the process that fetches feeds did not stop within ${STOP_MS / 1000} s and was killed`);
        child?.kill("SIGKILL");
      }, STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
