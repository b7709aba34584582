import { isBound } from "./answer.ts";
import type { Backoff } from "./backoff.ts";
import { CutError } from "./errors.ts";
import type { GetOptions } from "./get-options.ts";
import type { Opened, Opener } from "./opener.ts";

/** An attempt that brings less is one that brings nothing. */
const WORTH_COUNTING = 64 * 1024;

/**
 * The bytes of an object or range. After a cut the rest is asked for, of the same version.
 *
 * @param first The answer that begins them.
 * @throws CutError where the rest cannot be asked for: nothing names the version, or it was compressed on the way.
 */
export async function* objectBytes(
  opener: Opener,
  url: string,
  options: GetOptions,
  first: Opened,
  backoff: Backoff,
): AsyncGenerator<Uint8Array> {
  const { announced } = first;
  const from = options.range?.from ?? 0;
  let arrived = 0;
  let opened = first;
  for (;;) {
    const before = arrived;
    try {
      for await (const bytes of opened.bytes()) {
        arrived += bytes.length;
        yield bytes;
      }
      return;
    } catch (error) {
      const { length, gzip } = announced;
      if (!(error instanceof CutError) || length === undefined || gzip || !isBound(announced)) throw error;
      if (arrived - before >= WORTH_COUNTING) backoff.progress();
      opened = await openRest(
        opener,
        url,
        options,
        { from: from + arrived, to: from + length },
        first,
        backoff,
        error,
      );
    }
  }
}

async function openRest(
  opener: Opener,
  url: string,
  options: GetOptions,
  range: { from: number; to: number },
  { announced, host, path }: Opened,
  backoff: Backoff,
  failure: unknown,
): Promise<Opened> {
  for (let reason = failure; ; ) {
    await backoff.after(reason, options.signal);
    try {
      const rest = { range, ifMatch: announced, into: options.into, maxBytes: options.maxBytes };
      const opened = await opener.open(url, { ...rest, signal: options.signal });
      if (typeof opened !== "string") return opened;
      throw new CutError(host, path, "it disappeared while it was being fetched");
    } catch (error) {
      reason = error;
    }
  }
}
