import { statusOperations, stormOperations } from "@open-metocean/client/operations";
import { randomKey, type Service } from "@open-metocean/client/request";
import { apiFetch, ServiceError } from "./api-fetch.ts";
import { noteKeyWorks, refuseKey, renewGuestSession } from "./key-store.ts";
import { readJson } from "./parse-reply.ts";
import { GUEST } from "./saved-replies.ts";

/**
 * The transport through which operations of the published client send requests in a page: with the page's
 * key, and with saved replies.
 */
export const serviceOf = (key: string | undefined): Service => ({
  send: (path, request) => apiFetch(path, { ...request, key }),
  json: readSuccess,
});

/** @throws ServiceError for a body that is not JSON, and for a FAILURE envelope. */
async function readSuccess(reply: Response): Promise<unknown> {
  const body = await readJson(reply);
  const { status, error, task_id } = Object(body);
  if (status === "FAILURE" && typeof error === "string")
    throw new ServiceError(`${error} (task ${task_id})`, 200);
  return body;
}

/** Creates an Idempotency-Key: a request that is repeated with it takes effect only once. */
export const newIdempotencyKey = (): string => randomKey();

/** Requests an e-mail with a link that creates a key. @throws ServiceError */
export async function requestKey(email: string): Promise<void> {
  await apiFetch("/key_requests", { body: { email } });
}

/** Creates the key of a link. @returns The key, which is not shown anywhere else. @throws ServiceError */
export async function redeemKey(token: string): Promise<string> {
  const reply = await apiFetch("/key_requests/redeem", { body: { token } });
  const { key } = Object(await readJson(reply)) as { key?: unknown };
  if (typeof key !== "string") throw new ServiceError({ is: "keyless" }, reply.status);
  return key;
}

interface Sent {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** API key, or `GUEST`; absent for paths that need neither. */
  key?: string;
  signal: AbortSignal;
}

/**
 * Sends a request as a program would and returns whatever is answered, including errors. Nothing is saved on
 * the device.
 *
 * @param path Path and query on this page's own host.
 * @throws TypeError if the service cannot be reached; the reason of the signal if it aborts.
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

/** Storm operations of the published client. Their replies are not validated yet. */
export const stormService = (key: string) => stormOperations(serviceOf(key));

/**
 * Operations of the published client about the service itself. The caller validates the replies
 * (`parseReply`).
 */
export const statusService = (key: string | undefined) => statusOperations(serviceOf(key));
