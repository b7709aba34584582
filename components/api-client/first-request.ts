import { fetchOptions } from "#clients/typescript/src/request.ts";
import { pageStorage } from "#lib/page-storage.ts";

/** Where the API key is, if anywhere: a browser that blocks the data of sites has neither. */
export const [tabStorage, deviceStorage] = [
  pageStorage(() => globalThis.sessionStorage),
  pageStorage(() => globalThis.localStorage),
];

interface FirstRequest {
  path: string;
  /** null: of a visitor. */
  key: string | null;
  body: string | undefined;
  reply: Promise<Response>;
}

declare global {
  var firstRequests: FirstRequest[] | undefined;
}

/**
 * The key that the page will read (components/api-client/key-store.ts), before its scripts come: null for none or a visitor,
 * undefined where nothing may be sent.
 *
 * @param guests Whether visitors are let in.
 */
export function firstKey(guests: boolean): string | null | undefined {
  const linked = new URLSearchParams(location.hash.slice(1)).get("key");
  const key = tabStorage.getItem(KEY_NAME) || deviceStorage.getItem(KEY_NAME) || linked || null;
  return key !== null || guests ? key : undefined;
}

/** Sends a request that the page will send. @param body Of a POST. */
export function sendFirst(path: string, key: string | null, body?: object): Promise<Response> {
  const options = fetchOptions({ body }, key ?? undefined);
  const reply = fetch(path, { ...options, cache: "no-cache" });
  reply.catch(() => undefined);
  globalThis.firstRequests ??= [];
  globalThis.firstRequests.push({ path, key, body: options.body, reply });
  return reply;
}

/** The request, with its reply, if the page has sent it already; once. */
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

/** Name of the API key in the storages of the browser. */
export const KEY_NAME = "metocean-key";
