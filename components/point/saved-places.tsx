import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type MouseEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useWidth } from "#components/ui/use-width.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { showDownloadArea } from "#components/view-state/download-area.ts";
import { layerName, readingOf } from "#components/view-state/overlays.ts";
import { useLimits } from "#components/view-state/plan.ts";
import {
  MAX_PLACES,
  type NamedSpot,
  removePlace,
  type SaveFault,
  savePlace,
  useSavedPlaces,
} from "#components/view-state/saved-places.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S } from "#lib/time.ts";
import { numberIn, type Units, unitFor } from "#lib/units.ts";
import { outlookText } from "./outlook.ts";
import { columnsOf, placesQuery, type SeriesRow } from "./point-queries.ts";

/** The compared quantities, one column each. */
const compared = ["wind", "gust", "wave", "current"] as const;
type ComparedName = (typeof compared)[number];

/**
 * Hours ahead in which the highest value is searched, hour by hour, because a tidal current is strongest for
 * less than three hours.
 */
const AHEAD_HOURS = 48;

interface Props {
  apiKey: string;
  /** Why the last attempt to save a place failed. */
  fault?: SaveFault | undefined;
  onClose(): void;
  onPlace(spot: NamedSpot): void;
}

/**
 * The saved places side by side: the wind outlook at each, the present values, and the highest values of two
 * days.
 */
export function SavedPlaces({ apiKey, fault, onClose, onPlace }: Props) {
  const { point, screen, places: words } = useWords("places");
  const { now, answered = now } = useClock("now", "answered");
  const places = useSavedPlaces();
  const start = Math.floor(answered / HOUR_S) * HOUR_S;
  const times = Array.from({ length: AHEAD_HOURS + 1 }, (_, hour) => start + hour * HOUR_S);
  const { data, error, isPending, refetch } = useQuery({
    ...placesQuery(apiKey, places, times, compared),
    enabled: places.length > 0 && now > 0,
    // When a place is removed, the others stay unchanged.
    placeholderData: (last, query) => last && query && columnsOf(places, last, query.queryKey[2].points),
  });
  const compare = places.map((spot, index) => ({
    spot,
    rows: data?.[index]?.map((conditions, at) => ({ time: times[at]!, conditions })) ?? [],
  }));
  return (
    <Dialog title={point.saved} onClose={onClose} wide>
      {fault ? (
        <p role="alert" className="notice-line mb-3 text-sm">
          {fault === "full" ? words.full({ most: MAX_PLACES }) : words.notKept}
        </p>
      ) : null}
      {places.length === 0 && !fault ? <p>{words.none}</p> : null}
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
      {places.length > 0 ? (
        <>
          <Table places={compare} isPending={isPending} now={start} onPlace={onPlace} />
          <Button
            className="mt-4 px-4"
            onClick={() => {
              onClose();
              showDownloadArea({ wantsSeries: "places" });
            }}
          >
            {screen.panel.series}
          </Button>
        </>
      ) : null}
    </Dialog>
  );
}

interface ComparedPlace {
  spot: NamedSpot;
  /** Empty until the rows have arrived, or if they could not be read. */
  rows: readonly SeriesRow[];
}

interface TableProps extends Pick<Props, "onPlace"> {
  places: readonly ComparedPlace[];
  isPending: boolean;
  /** Unix seconds. */
  now: number;
}

/**
 * Width from which on a place and its values share one line, CSS pixels; a phone shows name and outlook above
 * the values.
 */
const WIDE = 560;

function Table({ places, isPending, now, onPlace }: TableProps) {
  const view = useView("u");
  const zone = useZone();
  const { places: words } = useWords("places");
  const element = useRef<HTMLTableElement>(null);
  const isWide = useWidth(element, WIDE) >= WIDE;
  const limits = useLimits();
  /** The place that was renamed last, or is being renamed. */
  const [renamed, setRenamed] = useState<{ key: string; isOpen: boolean }>();
  const [sort, setSort] = useState<{ by: ComparedName; up: boolean }>();
  const sorted = sort
    ? places.toSorted((one, other) => {
        const [a, b] = [one, other].map(({ rows }) => highest(rows, sort.by));
        // Unknown values come last.
        if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
        return sort.up ? a - b : b - a;
      })
    : places;
  const titleOf = (name: ComparedName) => {
    const unit = unitFor(paintedOutput(name).unit, view.u, readingOf(name), zone.words);
    return `${layerName(name, zone.words)}, ${unit.symbol}`;
  };
  /** Cycles from highest first to lowest first to the order of saving. */
  const turn = (by: ComparedName) =>
    setSort(sort?.by !== by ? { by, up: false } : sort.up ? undefined : { by, up: true });
  return (
    <table ref={element} className="series places w-full text-right text-sm tabular-nums">
      <caption className="text-left text-muted text-xs">{words.caption}</caption>
      <thead className="text-muted text-xs">
        <tr>
          {isWide ? (
            <th scope="col" className="text-left font-normal">
              {words.place}
            </th>
          ) : null}
          {compared.map((name) => {
            const order = sort?.by === name ? (sort.up ? "ascending" : "descending") : undefined;
            return (
              <th key={name} scope="col" aria-sort={order} className="align-bottom font-normal">
                <button
                  type="button"
                  className="min-h-8 text-right underline decoration-dotted underline-offset-2"
                  onClick={() => turn(name)}
                >
                  {titleOf(name)}
                  {order ? <Icon name={sort?.up ? "up" : "down"} className="ml-0.5 inline size-3" /> : null}
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
      {sorted.map(({ spot, rows }) => {
        const key = `${spot.latitude} ${spot.longitude}`;
        const values = compared.map((name) => (
          <td key={name}>{isPending ? "…" : cellText(rows, name, view.u, zone.words)}</td>
        ));
        const head = (
          <th
            scope={isWide ? "row" : "rowgroup"}
            colSpan={isWide ? 1 : compared.length}
            className="text-left font-medium"
          >
            {renamed?.key === key && renamed.isOpen ? (
              <Rename spot={spot} onDone={() => setRenamed({ key, isOpen: false })} />
            ) : (
              <PlaceName
                spot={spot}
                isRenamed={renamed?.key === key}
                onPlace={onPlace}
                onRename={() => setRenamed({ key, isOpen: true })}
              />
            )}
            <p className="font-normal text-muted text-xs">
              {outlookText(rows, { now, units: view.u, zone, limits })}
            </p>
          </th>
        );
        return (
          <tbody key={key}>
            <tr>
              {head}
              {isWide ? values : null}
            </tr>
            {isWide ? null : <tr>{values}</tr>}
          </tbody>
        );
      })}
    </table>
  );
}

interface NameProps extends Pick<Props, "onPlace"> {
  spot: NamedSpot;
  /** It takes the focus from the field for its name. */
  isRenamed: boolean;
  onRename(): void;
}

function PlaceName({ spot, isRenamed, onPlace, onRename }: NameProps) {
  const { places: words } = useWords("places");
  const remove = ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    // The focus moves to the same button of the next place, or of the previous one, or to the button that
    // closes the dialog.
    const row = button.closest("tbody");
    const others = [row?.nextElementSibling, row?.previousElementSibling, button.closest("dialog")];
    others
      .map((other, index) => other?.querySelector<HTMLElement>(index < 2 ? "[data-removes]" : "button"))
      .find(Boolean)
      ?.focus();
    removePlace(spot);
  };
  return (
    <div className="flex items-center">
      <button
        type="button"
        // biome-ignore lint/a11y/noAutofocus: it replaces the field for its name
        autoFocus={isRenamed}
        className="min-h-8 min-w-0 flex-1 text-left underline decoration-dotted underline-offset-2 [overflow-wrap:anywhere]"
        onClick={() => onPlace(spot)}
      >
        {spot.name}
      </button>
      <button
        type="button"
        className="button plain"
        aria-label={words.rename({ name: spot.name })}
        onClick={onRename}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className="button plain"
        data-removes
        aria-label={words.remove({ name: spot.name })}
        onClick={remove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** The highest value of a series, in the unit of the answer; undefined if none is known. */
function highest(rows: readonly SeriesRow[], name: ComparedName): number | undefined {
  const { point } = paintedOutput(name);
  const known = rows.map(({ conditions }) => conditions[point]).filter((value) => typeof value === "number");
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** Text such as `21 → 38`: the present value, and the highest in two days; a dash for an unknown one. */
function cellText(rows: readonly SeriesRow[], name: ComparedName, units: Units, words: Words): string {
  const { point, unit: answered } = paintedOutput(name);
  const unit = unitFor(answered, units, readingOf(name), words);
  const most = highest(rows, name);
  if (most === undefined) return "—";
  const now = rows[0]?.conditions[point];
  return `${typeof now === "number" ? numberIn(now, unit) : "—"} → ${numberIn(most, unit)}`;
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
        // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
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
