import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { basinTitle } from "#lib/storms/provenance.ts";
import { areaPlace } from "./area-shapes.ts";
import { DistanceLine } from "./distance-line.tsx";
import { type AreaOfInterest, agencyNames, areaName, formatChance } from "./format-area.ts";
import { bulletinState } from "./format-storm.ts";
import { LikelihoodMark } from "./likelihood-mark.tsx";
import { useStorms } from "./storms-context.tsx";

/** Where storms may form, the likeliest first. @param onShow Moves the map to a place. */
export function AreaList({ onShow }: { onShow(place: Place): void }) {
  const { areas, outlooks } = useStorms();
  const words = useWords();
  const { areas: text } = words.storms;
  const { view, zone } = useView();
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
  const { changeView, zone } = useView();
  const { now } = useClock();
  const { entries } = useStorms();
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
