import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { Words, WordsWith } from "#lib/messages/words.ts";
import { compareTracks, type SameStorm, sameStorms } from "#lib/storms/compare.ts";
import { formatWind } from "./format-storm.ts";
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
  const words = useWords("stormCard");
  const { peer } = words.stormCard;
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
  const provider = words.storms.providers[other.provider];
  return (
    <section aria-label={peer.region} className="space-y-1 text-sm">
      <h3 className="font-semibold">{peer.title({ provider, id: other.id })}</h3>
      <p>{peer.winds({ other: windOf(other, words), own: windOf(entry, words) })}</p>
      <p>{formatDistance(pair, now, words)}</p>
      <button
        type="button"
        className="toggle"
        aria-pressed={open}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {peer.compare}
      </button>
      {comparison ? (
        <>
          <p className="text-muted text-xs">{film ? peer.closeFilm : peer.onMap({ provider })}</p>
          <TrackDifferences comparison={comparison} />
        </>
      ) : null}
    </section>
  );
}

function windOf(entry: StormEntry, words: Words): string {
  const first: TrackPoint | undefined =
    entry.tracks.observed.findLast(({ vmax_kt }) => vmax_kt !== null) ?? entry.tracks.forecast?.points[0];
  return first ? formatWind(first, entry, words) : words.storms.notEstimated;
}

/** How far the two are apart now, and how far the forecasts at the last time that both have. */
function formatDistance({ km, differences }: SameStorm, now: number, words: WordsWith<"stormCard">): string {
  const { peer } = words.stormCard;
  const miles = formatMiles(km, words);
  const last = differences.at(-1);
  if (!last || last.time <= now) return peer.apart({ miles });
  const hours = Math.round((last.time - now) / 3600);
  return peer.apartLater({ now: miles, later: formatMiles(last.km, words), hours });
}
