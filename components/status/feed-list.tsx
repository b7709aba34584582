import "#components/api-client/without-eval.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { statusService } from "#components/api-client/service.ts";
import { useStandingError } from "#components/api-client/standing-error.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { utc } from "#components/view-state/civil.ts";
import { formatMinutes, formatShortTime } from "#components/view-state/format-time.ts";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type FeedStatus, feedStates, feedsResponse } from "#lib/contract/feeds.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { parseInstant } from "#lib/time.ts";

/** Severity of each feed state. */
const moods = {
  current: "well",
  growing: "well",
  ended: "watch",
  waiting: "watch",
  late: "watch",
  failing: "ill",
} as const satisfies Record<FeedStatus["state"], string>;

/** Text such as `Sat 15 Jan 12:00 UTC, 4 h ago`; a dash for null. @param now Weather clock, Unix seconds. */
function formatMoment(instant: string | null, now: number, words: WordsWith<"status">): string {
  if (instant === null) return "–";
  const time = parseInstant(instant);
  return words.status.moment({
    time: formatShortTime(time, { ...utc, words }),
    age: formatMinutes(time, now, words),
  });
}

/** Text such as `97 of 209 steps`; a dash for storms, which have no steps. */
function formatSteps({ steps, steps_expected }: FeedStatus, { status }: WordsWith<"status">): string {
  return steps_expected === 0 ? "–" : status.stepsOf({ here: steps, expected: steps_expected });
}

/** Number of feeds in each state that occurs, from well to ill. */
function countStates(feeds: readonly FeedStatus[]): { state: FeedStatus["state"]; count: number }[] {
  return feedStates
    .map((state) => ({ state, count: feeds.filter((feed) => feed.state === state).length }))
    .filter(({ count }) => count > 0);
}

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

/** Every active feed, refreshed while the page is visible. */
export function FeedList({ open }: Props) {
  const words = useWords("status");
  const { status } = words;
  const key = useApiKey();
  const asked = open || key !== undefined;
  const query = useQuery({ ...feedsQuery(key), enabled: asked });
  const { data, refetch } = query;
  const error = useStandingError(query);
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

/** Reports a server clock that is wrong. @param errorS Seconds ahead; negative if it is slow. */
function ClockNotice({ errorS }: { errorS: number }) {
  const { status } = useWords("status");
  if (errorS === 0) return null;
  const minutes = Math.round(Math.abs(errorS) / 60);
  return <p role="alert">{errorS < 0 ? status.clockSlow({ minutes }) : status.clockFast({ minutes })}</p>;
}

/** Instructions for an operator whose feeds are all off. */
function NoFeeds() {
  const { status } = useWords("status");
  const command = (text: string) => <code className="whitespace-nowrap">{text}</code>;
  return (
    <div className="task-row space-y-2">
      <p>{status.noFeeds}</p>
      <p>
        <Sentence
          message={status.turnOn}
          values={{ start: command("FEEDS=lite npm start"), plan: command("npm run metocean -- feeds plan") }}
        />
      </p>
    </div>
  );
}

/** One feed: its data, its age, what comes next, and failures. @param now Weather clock, Unix seconds. */
function FeedCard({ feed, now }: { feed: FeedStatus; now: number }) {
  const words = useWords("status");
  const { status } = words;
  const mood = moods[feed.state];
  const moment = (instant: string | null) => formatMoment(instant, now, words);
  const isFields = feed.kind === "fields";
  const facts = [
    [isFields ? status.newestRun : status.newestText, moment(feed.newest_run)],
    ...(isFields
      ? ([
          [status.steps, formatSteps(feed, words)],
          [status.reachesTo, moment(feed.valid_until)],
        ] as const)
      : []),
    [status.nextExpected, moment(feed.next_expected)],
    [status.lastFetched, moment(feed.last_success)],
    [status.from, feed.mirror ?? "–"],
    [status.today, formatBytes(feed.bytes_today, words)],
  ] as const;
  return (
    <li className="task-row">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 break-words font-semibold">
          {feed.title} <code className="font-normal text-muted text-sm">{feed.name}</code>
        </h2>
        <p className="pill" data-mood={mood}>
          {status.states[feed.state]}
        </p>
      </div>
      {isFields && feed.state === "growing" ? (
        <progress
          className="task-progress"
          max={feed.steps_expected}
          value={feed.steps}
          aria-label={status.stepsHere({ title: feed.title })}
        />
      ) : null}
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm tabular-nums sm:grid-cols-[auto_1fr_auto_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 text-pretty break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {feed.last_error ? (
        <p className="feed-error" data-mood={mood}>
          <strong>{status.errorAt({ moment: moment(feed.last_error.at) })}</strong> {feed.last_error.message}
        </p>
      ) : null}
      {feed.quarantined > 0 ? (
        <p className="mt-1 text-sm">
          <Sentence
            message={status.quarantined}
            values={{
              count: feed.quarantined,
              command: <code className="whitespace-nowrap">npm run metocean -- doctor</code>,
            }}
          />
        </p>
      ) : null}
      <p className="mt-2 text-muted text-xs">{feed.credit}</p>
    </li>
  );
}
