import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { positionText } from "#lib/position.ts";
import { type AreaOfInterest, agencyNames, areaName, formatChance, formatWindRange } from "./format-area.ts";
import { formatBulletinAge } from "./format-storm.ts";
import { LikelihoodMark } from "./likelihood-mark.tsx";

/** What an agency writes of an area that is no invest with an entry of its own. */
export function AreaCard({ area }: { area: AreaOfInterest }) {
  const { changeView, zone } = useView();
  const { now } = useClock();
  const { place, polygon, valid_until, issued_at, drawn_at } = area;
  return (
    <section aria-label={`Area ${areaName(area)}`} className="space-y-4">
      <div>
        <button
          type="button"
          className="toggle"
          onClick={() => changeView({ storm: null, tab: "storms" }, "push")}
        >
          <Icon name="back" className="size-4" /> All storms
        </button>
        <h2 data-opened className="mt-3 font-semibold text-lg">
          {areaName(area)}
        </h2>
        <p className="text-muted text-sm">Area of interest · {agencyNames[area.agency]}</p>
        <p className="text-sm">
          Issued {formatTime(issued_at, undefined, zone)}, {formatBulletinAge(issued_at, now)}
        </p>
        {valid_until === null ? null : (
          <p className="text-sm">Valid until {formatTime(valid_until, undefined, zone)}</p>
        )}
      </div>
      <p className="flex items-center gap-2 font-semibold text-sm">
        <LikelihoodMark likelihood={area.likelihood} /> {formatChance(area)}
      </p>
      <dl className="facts">
        <dt>Where</dt>
        <dd className="tabular-nums">
          {place ? positionText(place.lat, place.lon) : polygon ? "as drawn on the map" : "only in words"}
        </dd>
        {area.agency === "jtwc" ? (
          <>
            <dt>Winds</dt>
            <dd>{formatWindRange(area.winds_kt)}</dd>
            <dt>Lowest pressure</dt>
            <dd>{area.mslp_hpa === null ? "not stated" : `${area.mslp_hpa} hPa`}</dd>
          </>
        ) : null}
      </dl>
      <AgencyText text={area.text} />
      {drawn_at === undefined ? null : (
        <p className="notice-line text-sm">
          Its place and extent are of an earlier outlook, issued {formatTime(drawn_at, undefined, zone)}.
        </p>
      )}
      {place && !polygon ? (
        <p className="text-muted text-xs">
          The agency states a position and no extent: the symbol is where it is now.
        </p>
      ) : null}
    </section>
  );
}

/** The paragraph of an agency, as it was published. */
export function AgencyText({ text }: { text: string }) {
  return <blockquote className="agency-text text-sm">{text}</blockquote>;
}
