import { Sentence } from "#components/words/sentence.tsx";
import "#components/api-client/without-eval.ts";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { statusService } from "#components/api-client/status-service.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import { feedsResponse } from "#lib/contract/feeds.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { parseInstant } from "#lib/time.ts";
import { FeedCard } from "./feed-card.tsx";
import { countStates } from "./format-feed.ts";

const REFRESH_MS = 30_000;

export const feedsQuery = (key: string | undefined) =>
  queryOptions({
    queryKey: ["feeds", key],
    queryFn: async ({ signal }) => parseReply(await statusService(key).feeds({ signal }), feedsResponse),
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
  const words = useWords("status");
  const { status } = words;
  const key = useApiKey();
  const asked = open || key !== undefined;
  const { data, error, refetch } = useQuery({ ...feedsQuery(key), enabled: asked });
  return (
    <main className="mx-auto w-full max-w-3xl px-4 py-6">
      <h1 className="font-semibold text-2xl">{status.heading}</h1>
      <div className="mt-4 space-y-3">
        {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
        {asked && !data && !error ? <p role="status">{status.reading}</p> : null}
        {data?.feeds.length === 0 ? <NoFeeds /> : null}
        <ClockNotice errorS={data?.clock_error_s ?? 0} />
        {data && data.feeds.length > 0 ? (
          <>
            <p role="status">
              {status.summary({
                feeds: countStates(data.feeds)
                  .map(({ state, count }) => status.counted[state]({ count }))
                  .join(words.ui.joins.clauses),
                used: formatBytes(data.disk.bytes, words),
                budget:
                  data.disk.budget_bytes === null ? undefined : formatBytes(data.disk.budget_bytes, words),
              })}
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

/** A server's clock that is wrong. @param errorS Seconds ahead; negative where it is slow. */
function ClockNotice({ errorS }: { errorS: number }) {
  const { status } = useWords("status");
  if (errorS === 0) return null;
  const minutes = Math.round(Math.abs(errorS) / 60);
  return <p role="alert">{errorS < 0 ? status.clockSlow({ minutes }) : status.clockFast({ minutes })}</p>;
}

/** What to do where every feed is off. */
function NoFeeds() {
  const { status } = useWords("status");
  const command = (text: string) => <code className="whitespace-nowrap">{text}</code>;
  return (
    <div className="task-row space-y-2">
      <p>{status.noFeeds}</p>
      <p>
        <Sentence
          of={status.turnOn}
          values={{ start: command("FEEDS=lite npm start"), plan: command("npm run metocean -- feeds plan") }}
        />
      </p>
    </div>
  );
}
