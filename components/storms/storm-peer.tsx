import { useQuery } from "@tanstack/react-query";
import { useClock } from "#components/view-state/clock-context.ts";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { type SameStorm, sameStorms } from "#lib/storms/compare-providers.ts";
import { formatMiles, formatWind } from "./format-storm.ts";
import { stormsQuery } from "./storm-queries.ts";

interface Props {
  entry: StormEntry;
  apiKey: string;
}

/** The same storm by the other provider, compared and never mixed; nothing where it has none. */
export function StormPeer({ entry, apiKey }: Props) {
  const { now } = useClock();
  const { data: jtwc } = useQuery(stormsQuery(apiKey, "jtwc"));
  const { data: jma } = useQuery(stormsQuery(apiKey, "jma"));
  const pair = sameStorms(jtwc?.entries ?? [], jma?.entries ?? [], now).find(
    (one) => one[entry.provider].id === entry.id,
  );
  if (!pair) return null;
  const other = entry.provider === "jtwc" ? pair.jma : pair.jtwc;
  const last = pair.differences.at(-1);
  return (
    <section aria-label="The other provider" className="space-y-1 text-sm">
      <h3 className="font-semibold">
        {other.provider === "jma" ? "JMA" : "JTWC and NHC"} on this storm ({other.id})
      </h3>
      <p>
        Strongest wind {windOf(other)}, against {windOf(entry)}: the two are not comparable.
      </p>
      <p>
        Centres now {formatMiles(pair.km)} apart
        {last && last.time > now ? `, ${formatDivergence(last, now)}` : ""}.
      </p>
    </section>
  );
}

function windOf(entry: StormEntry): string {
  const first: TrackPoint | undefined =
    entry.tracks.observed.findLast(({ vmax_kt }) => vmax_kt !== null) ?? entry.tracks.forecast?.points[0];
  return first ? formatWind(first, entry) : "not estimated yet";
}

/** How far the two forecasts diverge at the last time that both have. */
function formatDivergence({ time, km }: SameStorm["differences"][number], now: number): string {
  return `${formatMiles(km)} in ${Math.round((time - now) / 3600)} h by their forecasts`;
}
