import "#components/api-client/without-eval.ts";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { feedsResponse } from "#lib/contract/feeds.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { parseInstant } from "#lib/time.ts";
import { FeedCard } from "./feed-card.tsx";
import { summarise } from "./format-feed.ts";

const REFRESH_MS = 30_000;

export const feedsQuery = (key: string | undefined) =>
  queryOptions({
    queryKey: ["feeds", key],
    queryFn: async ({ signal }) =>
      parseReply(await readJson(await apiFetch("/feeds", { key, signal })), feedsResponse),
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    ...retryPolicy,
  });

interface Props {
  /** Whether GET /feeds needs no key. */
  open: boolean;
}

/** Every feed that is turned on, refreshed while the page is visible. */
export function FeedList({ open }: Props) {
  const key = useApiKey();
  const asked = open || key !== undefined;
  const { data, error, refetch } = useQuery({ ...feedsQuery(key), enabled: asked });
  return (
    <main className="mx-auto w-full max-w-3xl px-4 py-6">
      <h1 className="font-semibold text-2xl">Feeds</h1>
      <div className="mt-4 space-y-3">
        {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
        {asked && !data && !error ? <p role="status">Reading the state of the feeds…</p> : null}
        {data?.feeds.length === 0 ? <NoFeeds /> : null}
        {data && data.feeds.length > 0 ? (
          <>
            <p role="status">
              {summarise(data.feeds)}. On disk: {formatBytes(data.disk.bytes)}
              {data.disk.budget_bytes === null ? "" : ` of ${formatBytes(data.disk.budget_bytes)}`}.
            </p>
            <ul className="space-y-3">
              {data.feeds.map((feed) => (
                <FeedCard key={feed.name} feed={feed} now={parseInstant(data.now)} />
              ))}
            </ul>
          </>
        ) : null}
      </div>
    </main>
  );
}

/** What to do where every feed is off. */
function NoFeeds() {
  return (
    <div className="task-row space-y-2">
      <p>No feed is turned on: the map shows what was brought in by hand, or the invented demo world.</p>
      <p>
        Whoever runs this server gets real forecasts with one setting:{" "}
        <code className="whitespace-nowrap">FEEDS=lite npm start</code>.{" "}
        <code className="whitespace-nowrap">npm run metocean -- feeds plan</code> prints the bytes a day
        first.
      </p>
    </div>
  );
}
