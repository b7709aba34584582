/** A reply as a shared cache stores it. */
interface Entry {
  bytes: number;
  /** Seconds, as the simulation counts. */
  until: number;
}

/**
 * A shared cache as RFC 9111 has them: what is `public` stays for its `max-age`, the least recently used goes first where
 * there is no room. Requests for what is on its way are joined.
 */
export class SharedCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a request is answered without asking further. */
  has(key: string, now: number): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.delete(key);
    if (entry.until <= now) {
      this.#bytes -= entry.bytes;
      return false;
    }
    // The last in the order of the map is the one used last.
    this.#entries.set(key, entry);
    return true;
  }

  /** @param cacheControl As the service sends it. */
  put(key: string, bytes: number, cacheControl: string, now: number): void {
    const [, seconds] = /^public, max-age=(\d+)/.exec(cacheControl) ?? [];
    if (seconds === undefined || bytes > this.#maxBytes) return;
    this.#entries.set(key, { bytes, until: now + Number(seconds) });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}
