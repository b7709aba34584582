import { fetchOptions } from "#clients/typescript/src/request.ts";
import { pageStorage } from "#lib/page-storage.ts";

/** Storages that may hold the API key; a browser that blocks site data provides neither. */
export const [tabStorage, deviceStorage] = [
  pageStorage(() => globalThis.sessionStorage),
  pageStorage(() => globalThis.localStorage),
];

interface FirstRequest {
  path: string;
  /** null for a visitor. */
  key: string | null;
  body: string | undefined;
  reply: Promise<Response>;
}

declare global {
  var firstRequests: FirstRequest[] | undefined;
}

/**
 * Reads the key that the page will use (components/api-client/key-store.ts) before its scripts load: null for
 * none or a visitor, undefined if nothing may be sent.
 *
 * @param guests Whether the service admits visitors.
 */
export function firstKey(guests: boolean): string | null | undefined {
  const linked = new URLSearchParams(location.hash.slice(1)).get("key");
  const key = tabStorage.getItem(KEY_NAME) || deviceStorage.getItem(KEY_NAME) || linked || null;
  return key !== null || guests ? key : undefined;
}

/** Sends a request in advance that the page will need. @param body Body of a POST. */
export function sendFirst(path: string, key: string | null, body?: object): Promise<Response> {
  const options = fetchOptions({ body }, key ?? undefined);
  const reply = fetch(path, { ...options, cache: "no-cache" });
  reply.catch(() => undefined);
  globalThis.firstRequests ??= [];
  globalThis.firstRequests.push({ path, key, body: options.body, reply });
  return reply;
}

/** Returns the request with its reply if it was sent in advance; each is returned once. */
export function firstSent(
  path: string,
  { method, headers, body }: Pick<RequestInit, "method" | "headers" | "body">,
): FirstRequest | undefined {
  const sent = globalThis.firstRequests;
  const at = sent?.findIndex((first) => first.path === path && first.body === (body ?? undefined)) ?? -1;
  const first = sent?.[at];
  if (!first || (method ?? "GET") !== (first.body === undefined ? "GET" : "POST")) return undefined;
  sent?.splice(at, 1);
  return new Headers(headers).get("x-api-key") === first.key ? first : undefined;
}

/** Name of the API key in the browser's storages. */
export const KEY_NAME = "metocean-key";
