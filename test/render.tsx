import type { Fix } from "@open-metocean/geo/rhumb";
import { QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type Access, AccessProvider, ApiKeyContext } from "#components/api-client/api-key.tsx";
import type { StoredKey } from "#components/api-client/key-store.ts";
import { AddressState } from "#components/view-state/address-state.tsx";
import { type Clock, ClockContext } from "#components/view-state/clock-context.ts";
import { sharedState } from "#components/view-state/shared-state.ts";
import { ShipContext } from "#components/view-state/ship-store.ts";
import { windowOf } from "#components/view-state/time-window.ts";
import { ViewProvider } from "#components/view-state/view-context.tsx";
import { WordsContext } from "#components/words/words-context.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import type { Words } from "#lib/messages/words.ts";
import { en } from "./all-words.ts";

export const TEST_KEY = "test-key";

interface Page {
  /** Query of the URL, which contains the view. */
  search?: string;
  /** null if this tab has no key. */
  apiKey?: string | null;
  offered?: string;
  stored?: Partial<StoredKey>;
  guests?: Access["guests"];
  keyRequests?: boolean;
  keyContact?: string;
  clock?: Partial<Clock>;
  ship?: Fix;
  tried?: Fix;
  cache?: QueryClient;
  words?: Words;
}

/** Renders a component once, as the server does, within all providers of a page. No effect runs. */
export function renderInPage(
  component: ReactNode,
  {
    search = "",
    apiKey = TEST_KEY,
    offered,
    stored,
    guests = "off",
    keyRequests,
    keyContact,
    clock = {},
    ship,
    tried,
    cache = replyCache(),
    words = en,
  }: Page = {},
): string {
  const times: Partial<Clock> & Omit<Clock, "drawn"> = {
    now: 0,
    time: undefined,
    instants: [],
    present: clock.now,
    segments: [],
    stepHours: undefined,
    setTime: () => undefined,
    window: windowOf(clock.instants ?? [], undefined, clock.now ?? 0),
    ...clock,
  };
  const drawn = times.drawn ?? times.time;
  return renderToStaticMarkup(
    <WordsContext value={words}>
      <QueryClientProvider client={cache}>
        <AddressState search={search}>
          <AccessProvider access={{ guests, keyRequests, keyContact }}>
            <ApiKeyContext value={{ key: apiKey ?? undefined, refused: false, offered, ...stored }}>
              <ShipContext value={{ ship, ...(tried && { tried }) }}>
                <ViewProvider>
                  <ClockContext value={sharedState<Clock>({ ...times, drawn })}>{component}</ClockContext>
                </ViewProvider>
              </ShipContext>
            </ApiKeyContext>
          </AccessProvider>
        </AddressState>
      </QueryClientProvider>
    </WordsContext>,
  );
}

/** A cache in which a failed query stays failed. On a page it would be retried on mount. */
export function replyCache(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retryOnMount: false, gcTime: Number.POSITIVE_INFINITY } },
  });
}

/** A cache with the failure of one query. */
export async function failedCache({ queryKey }: { queryKey: QueryKey }, error: Error): Promise<QueryClient> {
  const cache = replyCache();
  await cache.prefetchQuery({ queryKey, queryFn: () => Promise.reject(error), retry: false });
  return cache;
}

/** A cache with the reply of one query. */
export function filledCache<T>({ queryKey }: { queryKey: QueryKey }, data: T): QueryClient {
  const cache = replyCache();
  cache.setQueryData(queryKey, data);
  return cache;
}

/** A waiting task of 12,000 points. */
export const listedTask = (more: Partial<ListedTask> = {}): ListedTask => ({
  task_id: "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a",
  task_name: "Crossing",
  kind: "MetOcean",
  created_at: "2026-01-01T00:00:00.000Z",
  started_at: null,
  finished_at: null,
  expires_at: null,
  progress: 0,
  queue_position: 2,
  status: "PENDING",
  size: 12_000,
  error: null,
  result_bytes: null,
  receive_mail: false,
  notification: null,
  ...more,
});
