import { queryOptions } from "@tanstack/react-query";
import { loadReplies } from "#components/view/load-replies.ts";
import { call, retryPolicy } from "#components/view/service.ts";
import { jsonOf, understood } from "#components/view/understood.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";

/** The storms of a provider, with what the reply says of its feed. */
export interface StormList {
  entries: StormEntry[];
  /** Seconds since the provider's feed was last read. */
  ageSeconds: number;
}

const LOOK_MS = 5 * 60_000;

/** All storms of a provider, invests too: what is hidden is hidden here. */
export const stormsQuery = (key: string, provider: StormEntry["provider"]) =>
  queryOptions({
    queryKey: ["storms", key, provider],
    queryFn: async ({ signal }): Promise<StormList> => {
      const [reply, { storms }] = await Promise.all([
        call(`/storms?provider=${provider}`, { key, signal }),
        loadReplies(),
      ]);
      return {
        entries: understood(await jsonOf(reply), storms).results,
        ageSeconds: Number(reply.headers.get("x-data-age") ?? 0),
      };
    },
    staleTime: LOOK_MS,
    refetchInterval: LOOK_MS,
    ...retryPolicy,
  });

/** What a storm looked like in its past bulletins, oldest first. */
export const stormHistoryQuery = (key: string, provider: StormEntry["provider"], id: string) =>
  queryOptions({
    queryKey: ["storm-history", key, provider, id],
    queryFn: async ({ signal }) => {
      const [reply, { stormHistory }] = await Promise.all([
        call(`/storms/${id}/history?provider=${provider}`, { key, signal }),
        loadReplies(),
      ]);
      return understood(await jsonOf(reply), stormHistory).results;
    },
    staleTime: LOOK_MS,
    ...retryPolicy,
  });
