import { type RefObject, useEffect, useRef, useState } from "react";
import type { Side } from "#components/view-state/compared.ts";
import { paintedUnitFor, readingOf } from "#components/view-state/overlays.ts";
import { useMediaQuery } from "#components/view-state/use-browser.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { type PaintedName, paintedStatistic, paintedUnit } from "#lib/catalog/painted.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { Words } from "#lib/messages/words.ts";
import { compassAbbreviation, positionText } from "#lib/position.ts";
import { differenceUnit, signedIn, textIn, type Units } from "#lib/units.ts";
import type { ScreenPoint } from "./map-view.ts";
import { bearingAt, paintedDifference, paintedValue } from "./painted-value.ts";

/** The place under the pointer and its position on the canvas. */
export interface Hovered {
  place: Place;
  at: ScreenPoint;
  /** Which of two compared pictures is under the pointer. */
  side?: Side | undefined;
}

/** The values drawn under the pointer. */
interface Reading {
  /** The frames that are drawn. */
  pair: FramePair | undefined;
  /** Frames that are subtracted from `pair`, where the difference is drawn. */
  base?: FramePair | undefined;
  /** Layer of `pair`; undefined on the plain map. */
  layer: PaintedName | undefined;
  /** How many members the statistics of `pair` stand on; undefined for other layers. */
  members?: number | undefined;
  units: Units;
  /** Time of `pair` if it is not the requested one: `Thu 1 Jan 06:00`. */
  oldTime?: string | undefined;
}

interface Props extends Reading {
  /** The picture on side B of the divider when two pictures are compared. */
  other?: Omit<Reading, "units"> | undefined;
  /**
   * Receives the function to call with the place under the pointer, so that a moving pointer renders only
   * this component.
   */
  sink: RefObject<((hovered: Hovered | undefined) => void) | undefined>;
}

/** Distance from the pointer, and space that the text needs at the edges of the map, CSS pixels. */
const [AWAY, WIDTH, HEIGHT] = [16, 150, 44];

/**
 * Value and direction beside the pointer. Touch screens have none, because a finger would hide it; there
 * position and value have their own line. Renders nothing while the pointer is off the map.
 */
export function HoverReadout({ sink, other, ...reading }: Props) {
  const words = useWords();
  const [hovered, setHovered] = useState<Hovered>();
  const box = useRef<HTMLDivElement>(null);
  const hovers = useMediaQuery("(hover: hover) and (pointer: fine)");
  useEffect(() => {
    sink.current = setHovered;
    return () => {
      sink.current = undefined;
    };
  }, [sink]);
  const shown = hovered?.side === "b" ? { ...reading, ...other } : reading;
  const value = hovered && hovers ? hoverText(shown, hovered.place, words) : undefined;
  const side = shown.base ? "both" : hovered?.side;
  const text = value && side ? words.compare.of({ side, text: value }) : value;
  const area = box.current;
  return (
    <>
      <div ref={box} aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden">
        {hovered && area && text ? (
          <p className="hover-readout" style={besides(hovered.at, area.clientWidth, area.clientHeight)}>
            {text}
          </p>
        ) : null}
      </div>
      {hovered ? (
        <ReadoutLine place={hovered.place} side={shown.base ? undefined : hovered.side} {...shown} />
      ) : null}
    </>
  );
}

/** Position below and to the right of the pointer, or on the other side if there is no space. */
export function besides({ x, y }: ScreenPoint, width: number, height: number) {
  return {
    ...(x + AWAY + WIDTH > width ? { right: width - x + AWAY } : { left: x + AWAY }),
    ...(y + AWAY + HEIGHT > height ? { bottom: height - y + AWAY } : { top: y + AWAY }),
  };
}

/** Text such as `23 kn from WNW`, sampled from the painted numbers; undefined if there are none. */
export function hoverText(
  { pair, base, layer, members, units }: Reading,
  place: Place,
  words: Words,
): string | undefined {
  if (!pair || !layer) return undefined;
  const value = base ? paintedDifference(pair, base, layer, place) : paintedValue(pair, layer, place);
  if (Number.isNaN(value)) return undefined;
  if (base) return signedIn(value, differenceUnit(paintedUnit(layer), units, readingOf(layer), words));
  const shown = readingText(value, { layer, members, units }, words);
  const bearing = bearingAt(pair, layer, place);
  if (!bearing) return shown;
  const form = bearing.sense === "from" ? "lettersFrom" : "letters";
  return words.map[bearing.sense]({ value: shown, point: compassAbbreviation(bearing.degrees, words, form) });
}

/** A value of a layer: `23 kn`; of a share of members their count too: `12 of 31 members (39%)`. */
function readingText(
  value: number,
  { layer, members, units }: { layer: PaintedName } & Pick<Reading, "members" | "units">,
  words: Words,
): string {
  const text = textIn(value, paintedUnitFor(layer, units, words));
  if (members === undefined || paintedStatistic(layer)?.is !== "share") return text;
  return membersText(value, members, text, words);
}

/** Difference from a whole number up to which a count is exact: shares are stored in tenths of a per cent. */
const EXACT = 0.0005;

/**
 * The count of members that a share stands for. Between the nodes of the grid and the steps of the run a share is
 * interpolated, so that it need not be that of a whole number of members.
 *
 * @param percent Share of the members. @param share The same as text.
 */
export function membersText(percent: number, members: number, share: string, { catalog }: Words): string {
  const counted = (percent / 100) * members;
  const count = Math.round(counted);
  const isExact = Math.abs(counted - count) <= EXACT * members;
  const sense = isExact ? "exact" : count === 0 ? "few" : "about";
  return catalog.statistics.counted({ sense, count, of: members, share });
}

/** Position and value of a place, sampled from the same numbers as the colour. */
export function ReadoutLine({
  place,
  side,
  pair,
  base,
  layer,
  members,
  units,
  oldTime,
}: Reading & { place: Place; side?: Side | undefined }) {
  const words = useWords();
  const painted = (layer: PaintedName, pair: FramePair) =>
    base ? paintedDifference(pair, base, layer, place) : paintedValue(pair, layer, place);
  const value = pair && layer ? painted(layer, pair) : Number.NaN;
  const textOf = (layer: PaintedName) =>
    base
      ? signedIn(value, differenceUnit(paintedUnit(layer), units, readingOf(layer), words))
      : readingText(value, { layer, members, units }, words);
  return (
    <p
      className="pointer-events-none absolute right-12 bottom-2 whitespace-nowrap rounded-sm bg-surface px-1.5 text-[0.75rem] tabular-nums max-md:hidden [@media(hover:none)]:hidden"
      data-testid="readout"
      data-value={String(value)}
    >
      {positionText(place.latitude, place.longitude)} {side ? `${words.compare.side[side]} ` : null}
      {layer ? (
        <strong className="text-text">{Number.isNaN(value) ? words.map.noValue : textOf(layer)}</strong>
      ) : null}
      {layer && oldTime ? ` ${words.map.ofTime({ time: oldTime })}` : null}
    </p>
  );
}
