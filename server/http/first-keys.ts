import { parseLimit } from "#lib/contract/limit.ts";
import type { Env } from "#server/platform/env.ts";
import type { KeyStore } from "./keys.ts";

/** A map page sends many requests: the key of the first run has room for them. */
const FIRST_LIMIT = "600 per 1 minute";

/**
 * The keys that exist without a person: those of the environment, or one of our own where there is none at all.
 *
 * @returns The text of the key made for the first run, to be printed once; undefined on every other start.
 */
export async function ensureFirstKeys(
  keys: KeyStore,
  env: Pick<Env, "bootstrapKeys" | "bootstrapLimit">,
): Promise<string | undefined> {
  for (const { owner, text } of env.bootstrapKeys) {
    await keys.adopt(text, { owner, limit: env.bootstrapLimit });
  }
  if ((await keys.count()) > 0) return undefined;
  return (await keys.create({ owner: "first-run", limit: parseLimit(FIRST_LIMIT) })).text;
}
