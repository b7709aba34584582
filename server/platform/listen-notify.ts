import { type ClientConfig, escapeIdentifier } from "pg";
import { keepSession, type Session } from "./session.ts";

/** What a listener is told. */
export interface NotificationHandler {
  notified(payload: string): void;
  /** It listens from now on, for the first time or again: notifications sent before did not arrive. */
  connected(): void;
}

export type Listener = Pick<Session, "close">;

/**
 * Listens to a channel of PostgreSQL (LISTEN) on a connection of its own, which is opened again whenever it breaks. A
 * notification may be lost, also unnoticed: who listens has to look as well.
 */
export function listenNotify(
  config: ClientConfig,
  channel: string,
  { notified, connected }: NotificationHandler,
): Listener {
  let isClosed = false;
  const session = keepSession(config, async (client) => {
    client.on("notification", ({ payload = "" }) => notified(payload));
    await client.query(`listen ${escapeIdentifier(channel)}`);
    if (!isClosed) connected();
  });
  return {
    close() {
      isClosed = true;
      return session.close();
    },
  };
}
