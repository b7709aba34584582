/** How long a reader may leave an event waiting, milliseconds; then it is disconnected. */
const MAX_UNREAD_MS = 30_000;

/**
 * One open stream of server-sent events. It holds at most one event: a newer one replaces one that the reader has not
 * taken, so that a slow reader misses steps in between, never the last.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array, undefined, undefined> {
  readonly #cut = new AbortController();
  readonly #onClose: () => void;
  #unread: { bytes: Uint8Array; since: number } | undefined;
  #reader: ((result: IteratorResult<Uint8Array, undefined>) => void) | undefined;
  #sentAt: number;
  #ended = false;

  /** @param onClose Called when the last event was taken or nobody reads any more. */
  constructor(now: number, onClose: () => void) {
    this.#sentAt = now;
    this.#onClose = onClose;
  }

  /** Aborts to disconnect the reader in the middle of the reply. */
  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  /** Time since something was sent, milliseconds. */
  quietMs(now: number): number {
    return this.#unread ? 0 : now - this.#sentAt;
  }

  isTooSlow(now: number): boolean {
    return this.#unread !== undefined && now - this.#unread.since > MAX_UNREAD_MS;
  }

  send(bytes: Uint8Array, now: number): void {
    if (this.#ended) return;
    this.#sentAt = now;
    const reader = this.#reader;
    if (!reader) {
      this.#unread = { bytes, since: this.#unread?.since ?? now };
      return;
    }
    this.#reader = undefined;
    reader({ done: false, value: bytes });
  }

  /** @param last Sent before the end. */
  end(now: number, last?: Uint8Array): void {
    if (last) this.send(last, now);
    this.#ended = true;
    if (this.#reader) this.#close();
  }

  /** Ends the stream without anything that is still unread. */
  cut(): void {
    this.#unread = undefined;
    if (!this.#reader) this.#cut.abort();
    this.#close();
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#unread) {
      const { bytes } = this.#unread;
      this.#unread = undefined;
      return Promise.resolve({ done: false, value: bytes });
    }
    if (this.#ended) return this.return();
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #close(): void {
    this.#ended = true;
    this.#unread = undefined;
    this.#reader?.({ done: true, value: undefined });
    this.#reader = undefined;
    this.#onClose();
  }
}
