import { useView } from "#components/view-state/view-context.tsx";
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
  if (shore?.onLand) {
    return (
      <p className="rounded-md border border-line p-2 text-sm">
        This position is on land. Sea values are not available.
      </p>
    );
  }
  return (
    <div className="space-y-2 rounded-md border border-line p-2 text-sm">
      <p>No sea value in the model here: its cell is land.</p>
      {shore?.sea ? (
        <Nearest {...shore.sea} sample={sample} />
      ) : (
        <p role="status" className="text-muted">
          {searching
            ? "Looking for the nearest sea cell…"
            : shore
              ? `There is no sea cell within ${SEARCH_MILES} n mi.`
              : "The nearest sea cell could not be looked for."}
        </p>
      )}
    </div>
  );
}

function Nearest({ sample, place, km, bearing }: NearestSea & { sample: PointSample }) {
  const { view, changeView } = useView();
  const { shown, old } = useConditions({ ...sample, place });
  const lines = shown ? keyValues(shown.conditions, view.u) : [];
  const where = `${Math.round(km / MILE_KM)} n mi ${compassLetters(bearing)} (${formatBearing(bearing)})`;
  return (
    <div data-testid="nearest-sea" className="space-y-2">
      <div className="flex items-center justify-between gap-2">
        <p>
          Nearest sea cell <strong>{where}</strong>
        </p>
        <button type="button" className="button shrink-0 px-3" onClick={() => changeView({ p: place })}>
          Use it
        </button>
      </div>
      <dl className={`space-y-1 ${old ? "old-values" : ""}`}>
        {lines
          .filter(({ variable }) => seaLayers.includes(variable))
          .map(({ name, text }) => (
            <div key={name} className="flex gap-3">
              <dt className="w-16 shrink-0 text-muted">{name}</dt>
              <dd className="text-pretty">{text}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
