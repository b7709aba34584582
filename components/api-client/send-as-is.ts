import { GUEST, renewGuestSession } from "./guest.ts";
import { noteKeyWorks, refuseKey } from "./key-store.ts";

interface Sent {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** API key, or `GUEST`; none for paths that need none. */
  key?: string;
  signal: AbortSignal;
}

/**
 * Sends a request as a program would, and returns whatever is answered, errors included. Nothing is saved on the device.
 *
 * @param path Path and query on our own host.
 * @throws TypeError when the service cannot be reached; the reason of the signal when that aborts.
 */
export async function sendAsIs(
  path: string,
  { method, headers, body, key, signal }: Sent,
): Promise<Response> {
  const ownKey = key === GUEST ? undefined : key;
  const all = { ...headers, ...(ownKey !== undefined && { "x-api-key": ownKey }) };
  const send = () => fetch(path, { method, headers: all, body, signal, cache: "no-store" });
  let reply = await send();
  if (key === GUEST && reply.status === 403 && (await renewGuestSession()) === "done") reply = await send();
  if (ownKey !== undefined && reply.status === 401) refuseKey(ownKey);
  else if (ownKey !== undefined && reply.ok) noteKeyWorks(ownKey);
  return reply;
}
