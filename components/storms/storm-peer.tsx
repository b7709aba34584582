import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { type SameStorm, sameStorms } from "#lib/storms/compare-providers.ts";
import { compareTracks } from "#lib/storms/compare-tracks.ts";
import { formatMiles, formatWind } from "./format-storm.ts";
import { stormsQuery } from "./storm-queries.ts";
import { useStorms } from "./storms-context.tsx";
import { TrackDifferences } from "./track-differences.tsx";

interface Props {
  entry: StormEntry;
  apiKey: string;
}

/** The same storm by the other provider, compared and never mixed; nothing where it has none. */
export function StormPeer({ entry, apiKey }: Props) {
  const { now } = useClock();
  const { data: jtwc } = useQuery(stormsQuery(apiKey, "jtwc"));
  const { data: jma } = useQuery(stormsQuery(apiKey, "jma"));
  const pair = useMemo(
    () =>
      sameStorms(jtwc?.entries ?? [], jma?.entries ?? [], now).find(
        (one) => one[entry.provider].id === entry.id,
      ),
    [jtwc, jma, now, entry.provider, entry.id],
  );
  const { film, showPeer } = useStorms();
  const [open, setOpen] = useState(false);
  const comparison = useMemo(
    () => (open && pair ? compareTracks(pair.jtwc, pair.jma) : undefined),
    [open, pair],
  );
  useEffect(() => {
    if (!comparison || !pair) return;
    const other = entry.provider === "jtwc" ? pair.jma : pair.jtwc;
    showPeer({ entry: other, differences: comparison.differences });
    return () => showPeer(undefined);
  }, [comparison, pair, entry.provider, showPeer]);
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
      <button
        type="button"
        className="toggle"
        aria-pressed={open}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Compare the tracks
      </button>
      {comparison ? (
        <>
          <p className="text-muted text-xs">
            {film
              ? "Close the film to see both tracks on the map."
              : `On the map: ${other.provider === "jma" ? "JMA" : "JTWC and NHC"} in the colour of the labels, with a line between the centres of the same time.`}
          </p>
          <TrackDifferences comparison={comparison} />
        </>
      ) : null}
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
