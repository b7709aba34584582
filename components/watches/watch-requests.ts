import "#components/api-client/without-eval.ts";

import { queryOptions } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { alertService, watchService } from "#components/api-client/watch-service.ts";
import { alertList, type Watch, watch, watchList, type watchRequest } from "#lib/contract/watch.ts";

/** A watch in the form in which it is sent. */
export type SentWatch = (typeof watchRequest)["_zod"]["input"];

/** Interval between requests for the inbox, milliseconds. */
const READ_MS = 30_000;

export const alertsKey = (key: string) => ["alerts", key] as const;
export const watchesKey = (key: string) => ["watches", key] as const;

/**
 * The newest alerts of the key's owner, also requested while the page is in the background, for
 * notifications.
 */
export const alertsQuery = (key: string, limit: number) =>
  queryOptions({
    queryKey: [...alertsKey(key), limit],
    queryFn: async ({ signal }) => parseReply(await alertService(key).list({ limit }, { signal }), alertList),
    refetchInterval: READ_MS,
    refetchIntervalInBackground: true,
    placeholderData: (before) => before,
    ...retryPolicy,
  });

export const watchesQuery = (key: string) =>
  queryOptions({
    queryKey: watchesKey(key),
    queryFn: async ({ signal }) => parseReply(await watchService(key).list({ signal }), watchList).results,
    // A new watch is evaluated within seconds, so it is requested more often.
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "waiting") ? 3_000 : READ_MS),
    ...retryPolicy,
  });

/** @param id Id of the watch to change; absent for a new one. */
export async function saveWatch(key: string, body: SentWatch, id?: string): Promise<Watch> {
  const service = watchService(key);
  return parseReply(await (id === undefined ? service.create(body) : service.change(id, body)), watch);
}

/** Restores a watch that was just deleted, unchanged even if it had expired. */
export async function restoreWatch(key: string, deleted: Watch): Promise<void> {
  await saveWatch(key, { ...sentOf(deleted), expires_at: secondOf(deleted.expires_at) }, deleted.id);
}

/** The request that changes a watch. An expired one gets the usual lifetime again. */
export function sentOf(watch: Watch): SentWatch {
  const { name, question, language, paused, channels, expires_at, state } = watch;
  return {
    name,
    question,
    language,
    paused,
    ...(channels && { channels }),
    ...(state !== "expired" && { expires_at: secondOf(expires_at) }),
  };
}

const secondOf = (instant: string) => `${instant.slice(0, 19)}Z`;
