import { queryOptions } from "@tanstack/react-query";
import { call, retryPolicy } from "#components/view/service.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { stormHistoryResponse, stormsResponse } from "#lib/contract/storms.ts";

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
      const reply = await call(`/storms?provider=${provider}`, { key, signal });
      return {
        entries: stormsResponse.parse(await reply.json()).results,
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
    queryFn: async ({ signal }) =>
      stormHistoryResponse.parse(
        await (await call(`/storms/${id}/history?provider=${provider}`, { key, signal })).json(),
      ).results,
    staleTime: LOOK_MS,
    ...retryPolicy,
  });
