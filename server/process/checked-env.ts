import { selectedFeeds, settingChecks } from "#server/context/feeds.ts";
import { ConfigError, type Env, EXIT_CONFIG, readEnv } from "#server/platform/env.ts";

/** Reads the environment, and ends the process with a message where it is invalid. */
export function checkedEnv(): Env {
  try {
    return readEnv(undefined, settingChecks);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitWithConfigError(error);
  }
}

export function exitWithConfigError({ message }: Error): never {
  console.error(message);
  process.exit(EXIT_CONFIG);
}

/** Whether a server with this environment fetches feeds. */
export function fetchesFeeds(env: Env): boolean {
  const { fields, storms } = selectedFeeds(env);
  return fields.length + storms.length > 0 && (env.role === "all" || env.role === "ingest");
}

/** Returns a controller that the first SIGINT or SIGTERM aborts. The second signal ends the process as usual. */
export function stopOnSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop;
}
