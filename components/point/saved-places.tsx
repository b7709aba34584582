import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { layerName, readingOf } from "#components/view-state/overlays.ts";
import {
  type NamedSpot,
  removePlace,
  savePlace,
  useSavedPlaces,
} from "#components/view-state/saved-places.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S } from "#lib/time.ts";
import { numberIn, type Units, unitFor } from "#lib/units.ts";
import type { Conditions } from "./format-conditions.ts";
import { placesQuery } from "./point-queries.ts";

/** What is compared, a column each. */
const compared = ["wind", "gust", "wave", "current"] as const;

/** How far ahead the highest value is looked for, and in which steps, seconds. */
const AHEAD_S = 48 * HOUR_S;
const STEP_S = 3 * HOUR_S;

interface Props {
  apiKey: string;
  onClose(): void;
  onPlace(spot: NamedSpot): void;
}

/** The saved places side by side: each with the values of now and the highest of two days. */
export function SavedPlaces({ apiKey, onClose, onPlace }: Props) {
  const { point, places: words } = useWords("places");
  const { now, answered = now } = useClock();
  const places = useSavedPlaces();
  const start = Math.floor(answered / HOUR_S) * HOUR_S;
  const times = Array.from({ length: AHEAD_S / STEP_S + 1 }, (_, index) => start + index * STEP_S);
  const { data, error, refetch } = useQuery({
    ...placesQuery(apiKey, places, times, compared),
    enabled: places.length > 0 && now > 0,
    // A place that is removed leaves the others as they are.
    placeholderData: (last) => (last?.length === places.length ? last : undefined),
  });
  return (
    <Dialog title={point.saved} onClose={onClose}>
      {places.length === 0 ? <p>{words.none}</p> : null}
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
      {places.length > 0 ? <Table places={places} series={data} onPlace={onPlace} /> : null}
    </Dialog>
  );
}

interface TableProps extends Pick<Props, "onPlace"> {
  places: readonly NamedSpot[];
  /** By place and time; undefined until they are there. */
  series: readonly (readonly Conditions[])[] | undefined;
}

function Table({ places, series, onPlace }: TableProps) {
  const { view, zone } = useView();
  const { places: words } = useWords("places");
  const [renamed, setRenamed] = useState<NamedSpot>();
  const titleOf = (name: (typeof compared)[number]) => {
    const unit = unitFor(paintedOutput(name).unit, view.u, readingOf(name), zone.words);
    return `${layerName(name, zone.words)}, ${unit.symbol}`;
  };
  return (
    <table className="series places w-full text-right text-sm tabular-nums">
      <caption className="text-left text-muted text-xs">{words.caption}</caption>
      <thead className="text-muted text-xs">
        <tr>
          {compared.map((name) => (
            <th key={name} scope="col" className="align-bottom font-normal">
              {titleOf(name)}
            </th>
          ))}
        </tr>
      </thead>
      {places.map((spot, index) => (
        // A name has a line of its own: beside the values it would be cut off on a phone.
        <tbody key={`${spot.latitude} ${spot.longitude}`}>
          <tr>
            <th scope="rowgroup" colSpan={compared.length} className="text-left font-medium">
              {renamed === spot ? (
                <Rename spot={spot} onDone={() => setRenamed(undefined)} />
              ) : (
                <div className="flex items-center">
                  <button
                    type="button"
                    className="min-h-8 min-w-0 flex-1 text-left underline decoration-dotted underline-offset-2 [overflow-wrap:anywhere]"
                    onClick={() => onPlace(spot)}
                  >
                    {spot.name}
                  </button>
                  <button
                    type="button"
                    className="button plain"
                    aria-label={words.rename({ name: spot.name })}
                    onClick={() => setRenamed(spot)}
                  >
                    <Icon name="edit" />
                  </button>
                  <button
                    type="button"
                    className="button plain"
                    aria-label={words.remove({ name: spot.name })}
                    onClick={() => removePlace(spot)}
                  >
                    <Icon name="close" />
                  </button>
                </div>
              )}
            </th>
          </tr>
          <tr>
            {compared.map((name) => (
              <td key={name}>{cellText(series?.[index], name, view.u, zone.words)}</td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

/** `21 → 38`: now, and the highest in two days; a dash for what is not known. */
function cellText(
  series: readonly Conditions[] | undefined,
  name: (typeof compared)[number],
  units: Units,
  words: Words,
): string {
  const { point, unit: answered } = paintedOutput(name);
  const unit = unitFor(answered, units, readingOf(name), words);
  const values = (series ?? []).map((conditions) => conditions[point]);
  const known = values.filter((value) => typeof value === "number");
  if (known.length === 0) return "—";
  const [now] = values;
  return `${typeof now === "number" ? numberIn(now, unit) : "—"} → ${numberIn(Math.max(...known), unit)}`;
}

function Rename({ spot, onDone }: { spot: NamedSpot; onDone(): void }) {
  const { places: words } = useWords("places");
  const [name, setName] = useState(spot.name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) savePlace({ ...spot, name });
    onDone();
  };
  return (
    <form onSubmit={submit} className="flex gap-1">
      <input
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed has given way to it
        autoFocus
        className="field min-w-0 flex-1"
        aria-label={words.name}
        value={name}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="button px-2">
        {words.done}
      </button>
    </form>
  );
}
