import { useView } from "#components/view-state/view-context.tsx";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { compassLetters, formatBearing } from "#lib/position.ts";
import { keyValues, seaLayers } from "./format-conditions.ts";
import { type NearestSea, SEARCH_MILES, type Shore } from "./nearest-sea.ts";
import type { PointSample } from "./point-queries.ts";
import { useConditions } from "./use-conditions.ts";

interface Props {
  sample: PointSample;
  /** undefined: it is being looked for, or could not be. */
  shore: Shore | undefined;
  searching: boolean;
}

/** Why a place has no values of the sea: land, or a model that has land there; then where they are. */
export function ShoreNotice({ sample, shore, searching }: Props) {
  const words = useWords();
  const { shore: text } = words.point;
  return (
    <div className="space-y-2 rounded-md border border-line p-2 text-sm">
      <p>{shore?.onLand ? text.onLand : text.landInModel}</p>
      {shore?.sea ? (
        <Nearest {...shore.sea} sample={sample} />
      ) : shore?.onLand ? null : (
        <p role="status" className="text-muted">
          {searching
            ? text.searching
            : shore
              ? text.none({ distance: formatMiles(SEARCH_MILES * MILE_KM, words, 0) })
              : text.failed}
        </p>
      )}
    </div>
  );
}

function Nearest({ sample, place, km, bearing }: NearestSea & { sample: PointSample }) {
  const { view, changeView, zone } = useView();
  const { words } = zone;
  const { point } = words;
  const { shown, old } = useConditions({ ...sample, place });
  const lines = shown ? keyValues(shown.conditions, view.u, words) : [];
  const where = point.shore.where({
    distance: formatMiles(km, words, 0),
    point: compassLetters(bearing, words),
    bearing: formatBearing(bearing),
  });
  return (
    <div data-testid="nearest-sea" className="space-y-2">
      <div className="flex items-center justify-between gap-2">
        <p>
          <Sentence of={point.shore.nearest} values={{ where: <strong>{where}</strong> }} />
        </p>
        <button type="button" className="button shrink-0 px-3" onClick={() => changeView({ p: place })}>
          {point.shore.use}
        </button>
      </div>
      <dl className={`grid grid-cols-[minmax(4rem,auto)_1fr] gap-x-3 gap-y-1 ${old ? "old-values" : ""}`}>
        {lines
          .filter(({ variable }) => seaLayers.includes(variable))
          .map(({ name, text }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="text-pretty">{text}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
