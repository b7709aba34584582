import type { FeedStatus } from "#lib/contract/feeds.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { formatMoment, formatSteps, stateWords } from "./format-feed.ts";

/** One feed: what it brings, how new it is, what comes next, and what went wrong. @param now Weather clock, Unix seconds. */
export function FeedCard({ feed, now }: { feed: FeedStatus; now: number }) {
  const { text, mood } = stateWords[feed.state];
  const isFields = feed.kind === "fields";
  const facts = [
    [isFields ? "Newest run" : "Newest text", formatMoment(feed.newest_run, now)],
    ...(isFields
      ? ([
          ["Steps", formatSteps(feed)],
          ["Reaches to", formatMoment(feed.valid_until, now)],
        ] as const)
      : []),
    ["Next expected", formatMoment(feed.next_expected, now)],
    ["Last fetched", formatMoment(feed.last_success, now)],
    ["From", feed.mirror ?? "–"],
    ["Today", formatBytes(feed.bytes_today)],
  ] as const;
  return (
    <li className="task-row">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 break-words font-semibold">
          {feed.title} <code className="font-normal text-muted text-sm">{feed.name}</code>
        </h2>
        <p className="pill" data-mood={mood}>
          {text}
        </p>
      </div>
      {isFields && feed.state === "growing" ? (
        <progress
          className="task-progress"
          max={feed.steps_expected}
          value={feed.steps}
          aria-label={`Steps of ${feed.title} that are here`}
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
          <strong>{formatMoment(feed.last_error.at, now)}:</strong> {feed.last_error.message}
        </p>
      ) : null}
      {feed.quarantined > 0 ? (
        <p className="mt-1 text-sm">
          {feed.quarantined === 1 ? "1 file was" : `${feed.quarantined} files were`} refused and kept for the
          operator: <code className="whitespace-nowrap">npm run metocean -- doctor</code>
        </p>
      ) : null}
      <p className="mt-2 text-muted text-xs">{feed.credit}</p>
    </li>
  );
}
