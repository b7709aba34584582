import path from "node:path";
import { formatInstant } from "#lib/time.ts";
import { weatherClock } from "#server/platform/clock.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";
import { checkedEnv, fetchesFeeds } from "./checked-env.ts";
import { startFeedsProcess } from "./feeds-process.ts";
import { startupBanner } from "./startup-banner.ts";
import { supervise } from "./supervise.ts";

// This process supervises the others and serves nothing itself. Work that is done once for all happens here or in the
// first of them.

const env = checkedEnv();
const secrets = env.bootstrapKeys.map(({ text }) => text);
const log = createLogger(env.logLevel, secrets, standardOutput(true), process.pid);

let feeds: ReturnType<typeof startFeedsProcess> | undefined;

const processes = supervise({
  count: env.processes,
  exec: path.join(import.meta.dirname, "../main.ts"),
  log,
  onListening(port, key) {
    console.log(
      startupBanner({
        host: env.host,
        port,
        key,
        time: formatInstant(weatherClock(env.frozenAt).now()),
        feeds: env.feeds.enabled,
        guests: env.guests,
      }),
    );
    log.info({ host: env.host, port, processes: env.processes }, "listening");
    if (fetchesFeeds(env)) feeds = startFeedsProcess(log);
  },
});

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) {
      processes.kill();
      process.exit(130);
    }
    stopping = true;
    log.info({ signal }, "closing");
    processes.stop();
    void feeds?.close();
  });
}

const status = await processes.ended;
await feeds?.close();
process.exit(status);
