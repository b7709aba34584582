import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { FeedStatus } from "#lib/contract/feeds.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { formatMoment, formatSteps, moods } from "./format-feed.ts";

/** One feed: what it brings, how new it is, what comes next, and what went wrong. @param now Weather clock, Unix seconds. */
export function FeedCard({ feed, now }: { feed: FeedStatus; now: number }) {
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
            of={status.quarantined}
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
