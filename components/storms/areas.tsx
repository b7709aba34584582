import { isPlanned, reckoned } from "@open-metocean/geo/rhumb";
import { distanceKm, initialBearing, type Place } from "@open-metocean/geo/sphere";
import { type Likelihood, likelihoods } from "@open-metocean/storms/providers";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { formatBearing, positionText } from "#lib/position.ts";
import { basinTitle } from "#lib/storm-answers/provenance.ts";
import {
  type AreaOfInterest,
  agencyNames,
  areaName,
  bulletinSpan,
  bulletinState,
  formatChance,
  formatPressure,
  formatWindRange,
} from "./format-storm.ts";
import { areaPlace } from "./storm-shapes.ts";
import { useStorms } from "./storms-context.tsx";

/** An agency's text about an area that is not an invest with its own entry. */
export function AreaCard({ area, onBack }: { area: AreaOfInterest; onBack(): void }) {
  const zone = useZone();
  const { now } = useClock("now");
  const words = useWords();
  const { areas, allStorms } = words.storms;
  const { place, polygon, valid_until, issued_at, drawn_at } = area;
  return (
    <section aria-label={areas.region({ name: areaName(area, words) })} className="space-y-4">
      <div>
        <button type="button" className="toggle" onClick={onBack}>
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

/** The paragraph of an agency as published, in English. */
export function AgencyText({ text }: { text: string }) {
  return (
    <blockquote lang="en" className="wrap-anywhere border-l-3 border-l-line pl-2.5 text-sm">
      {text}
    </blockquote>
  );
}

/** Areas where storms may form, most likely first. @param onShow Moves the map to a place. */
export function AreaList({ onShow }: { onShow(place: Place): void }) {
  const { areas, outlooks } = useStorms("areas", "outlooks");
  const words = useWords();
  const { areas: text } = words.storms;
  const view = useView("inv", "sp");
  const zone = useZone();
  if (!view.inv) return null;
  if (view.sp === "jma") {
    return <p className="mt-4 text-muted text-xs">{text.jmaHasNone}</p>;
  }
  const quiet = (outlooks ?? []).filter((outlook) => outlook.areas.length === 0);
  return (
    <section aria-labelledby="areas-of-interest" className="mt-5 space-y-2">
      <h2 id="areas-of-interest" className="font-semibold">
        {text.title}
      </h2>
      {outlooks?.length === 0 ? <p className="text-sm">{text.unknown}</p> : null}
      {areas.length > 0 ? (
        <ul className="space-y-2">
          {areas.map((area) => (
            <li key={`${area.agency} ${area.id}`}>
              <Row area={area} onShow={onShow} />
            </li>
          ))}
        </ul>
      ) : null}
      {quiet.map(({ product, agency, basins, issued_at }) => (
        <p key={product} className="text-sm">
          {text.quiet({
            basins: basins.map((basin) => basinTitle(basin, words)).join(text.basinJoin),
            agency: agencyNames[agency],
          })}
          <span className="text-muted text-xs">
            {" "}
            {text.quietSince({ time: formatTime(issued_at, undefined, zone) })}
          </span>
        </p>
      ))}
    </section>
  );
}

function Row({ area, onShow }: { area: AreaOfInterest; onShow(place: Place): void }) {
  const changeView = useChangeView();
  const zone = useZone();
  const { now } = useClock("now");
  const { entries } = useStorms("entries");
  const words = useWords();
  const place = areaPlace(area);
  const alert = entries.find(({ id }) => id === area.storm_id)?.formation_alert;
  const { alertUntil } = words.storms.areas;
  return (
    <button
      type="button"
      className="storm-row"
      data-opens={area.storm_id ?? area.id}
      onClick={() => {
        changeView({ storm: area.storm_id ?? area.id, tab: null }, "push");
        if (place) onShow(place);
      }}
    >
      <span className="flex items-baseline justify-between gap-x-3">
        <span className="font-semibold">{areaName(area, words)}</span>
        <span className="text-muted text-xs">{agencyNames[area.agency]}</span>
      </span>
      <span className="flex items-center gap-1.5 text-sm">
        <LikelihoodMark likelihood={area.likelihood} />
        {formatChance(area, words)}
      </span>
      {alert ? (
        <span className="block text-sm">
          <strong>{alertUntil.what}</strong>{" "}
          {alertUntil.until({ time: formatTime(alert.valid_until, undefined, zone) })}
        </span>
      ) : null}
      <DistanceLine to={place} />
      <span className="block text-xs">
        <span data-age={bulletinState(area.issued_at, now)}>
          {words.storms.areas.issuedAgo({ age: formatAge(area.issued_at, now, words) })}
        </span>
      </span>
    </button>
  );
}

/** One, two or three bars in the colour of a likelihood; the words beside them say the same. */
export function LikelihoodMark({ likelihood }: { likelihood: Likelihood }) {
  const count = likelihoods.indexOf(likelihood) + 1;
  return (
    <svg width="16" height="14" aria-hidden="true" className="inline-block shrink-0">
      {likelihoods.map((step, index) => (
        <rect
          key={step}
          x={1 + 5 * index}
          y={9 - 4 * index}
          width="4"
          height={4 + 4 * index}
          fill={index < count ? `var(--map-likely-${likelihood})` : "none"}
          stroke={`var(--map-likely-${likelihood})`}
          strokeWidth="1"
        />
      ))}
    </svg>
  );
}

/**
 * Distance of a place from the ship now, or else from the sampled point, as a row of a list; renders nothing
 * without either.
 */
function DistanceLine({ to }: { to: Place | undefined }) {
  const view = useView("p");
  const zone = useZone("verdict");
  const { now } = useClock("now");
  const { ship } = useShip();
  const from = ship ? reckoned(ship, now) : view.p;
  if (!from || !to) return null;
  const { range } = zone.words.verdict;
  const distance = formatMiles(distanceKm(from, to), zone.words);
  const bearing = formatBearing(initialBearing(from, to));
  return (
    <span className="block text-sm">
      {!ship
        ? range.fromPoint({ distance, bearing })
        : isPlanned(ship, now)
          ? range.fromPlanned({ distance, bearing, when: formatShortTime(ship.time, zone) })
          : range.fromShip({ distance, bearing })}
    </span>
  );
}
