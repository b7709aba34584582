import { feedsProblem } from "#server/context/selected-feeds.ts";
import { ConfigError, type Env, EXIT_CONFIG, readEnv } from "#server/platform/env.ts";

/** The environment; ends the process where it is wrong. */
export function checkedEnv(): Env {
  try {
    return readEnv(undefined, { FEEDS: feedsProblem });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitWithConfigError(error);
  }
}

export function exitWithConfigError({ message }: Error): never {
  console.error(message);
  process.exit(EXIT_CONFIG);
}
