import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { positionText } from "#lib/position.ts";
import { type AreaOfInterest, agencyNames, areaName, formatChance, formatWindRange } from "./format-area.ts";
import { bulletinSpan, formatPressure } from "./format-storm.ts";
import { LikelihoodMark } from "./likelihood-mark.tsx";

/** What an agency writes of an area that is no invest with an entry of its own. */
export function AreaCard({ area }: { area: AreaOfInterest }) {
  const { changeView, zone } = useView();
  const { now } = useClock();
  const words = useWords();
  const { areas, allStorms } = words.storms;
  const { place, polygon, valid_until, issued_at, drawn_at } = area;
  return (
    <section aria-label={areas.region({ name: areaName(area, words) })} className="space-y-4">
      <div>
        <button
          type="button"
          className="toggle"
          onClick={() => changeView({ storm: null, tab: "storms" }, "push")}
        >
          <Icon name="back" className="size-4" /> {allStorms}
        </button>
        <h2 data-opened className="mt-3 font-semibold text-lg">
          {areaName(area, words)}
        </h2>
        <p className="text-muted text-sm">{areas.kind({ agency: agencyNames[area.agency] })}</p>
        <p className="text-sm">
          {areas.issued({
            time: formatTime(issued_at, undefined, zone),
            span: bulletinSpan(issued_at, now, words),
          })}
        </p>
        {valid_until === null ? null : (
          <p className="text-sm">{areas.validUntil({ time: formatTime(valid_until, undefined, zone) })}</p>
        )}
      </div>
      <p className="flex items-center gap-2 font-semibold text-sm">
        <LikelihoodMark likelihood={area.likelihood} /> {formatChance(area, words)}
      </p>
      <dl className="facts">
        <dt>{areas.where}</dt>
        <dd className="tabular-nums">
          {place ? positionText(place.lat, place.lon) : polygon ? areas.drawn : areas.onlyInWords}
        </dd>
        {area.agency === "jtwc" ? (
          <>
            <dt>{areas.winds}</dt>
            <dd>{formatWindRange(area.winds_kt, words)}</dd>
            <dt>{areas.pressure}</dt>
            <dd>{formatPressure(area, words)}</dd>
          </>
        ) : null}
      </dl>
      <AgencyText text={area.text} />
      {drawn_at === undefined ? null : (
        <p className="notice-line text-sm">
          {areas.drawnEarlier({ time: formatTime(drawn_at, undefined, zone) })}
        </p>
      )}
      {place && !polygon ? <p className="text-muted text-xs">{areas.noExtent}</p> : null}
    </section>
  );
}

/** The paragraph of an agency, as it was published: in English. */
export function AgencyText({ text }: { text: string }) {
  return (
    <blockquote lang="en" className="agency-text text-sm">
      {text}
    </blockquote>
  );
}
