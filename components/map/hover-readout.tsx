import { type RefObject, useEffect, useRef, useState } from "react";
import type { Side } from "#components/view-state/compared.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { useMediaQuery } from "#components/view-state/use-browser.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { Words } from "#lib/messages/words.ts";
import { compassAbbreviation, positionText } from "#lib/position.ts";
import { differenceUnit, signedIn, textIn, type Units, unitFor } from "#lib/units.ts";
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
  layer: DrawnVariable | undefined;
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
  { pair, base, layer, units }: Reading,
  place: Place,
  words: Words,
): string | undefined {
  if (!pair || !layer) return undefined;
  const value = base ? paintedDifference(pair, base, layer, place) : paintedValue(pair, layer, place);
  if (Number.isNaN(value)) return undefined;
  const { unit } = paintedOutput(layer);
  if (base) return signedIn(value, differenceUnit(unit, units, readingOf(layer), words));
  const shown = textIn(value, unitFor(unit, units, readingOf(layer), words));
  const bearing = bearingAt(pair, layer, place);
  if (!bearing) return shown;
  const form = bearing.sense === "from" ? "lettersFrom" : "letters";
  return words.map[bearing.sense]({ value: shown, point: compassAbbreviation(bearing.degrees, words, form) });
}

/** Position and value of a place, sampled from the same numbers as the colour. */
export function ReadoutLine({
  place,
  side,
  pair,
  base,
  layer,
  units,
  oldTime,
}: Reading & { place: Place; side?: Side | undefined }) {
  const words = useWords();
  const painted = (layer: DrawnVariable, pair: FramePair) =>
    base ? paintedDifference(pair, base, layer, place) : paintedValue(pair, layer, place);
  const value = pair && layer ? painted(layer, pair) : Number.NaN;
  const unitOf = base ? differenceUnit : unitFor;
  const unit = layer && unitOf(paintedOutput(layer).unit, units, readingOf(layer), words);
  const textOf = base ? signedIn : textIn;
  return (
    <p
      className="pointer-events-none absolute right-12 bottom-2 whitespace-nowrap rounded-sm bg-surface px-1.5 text-[0.75rem] tabular-nums max-md:hidden [@media(hover:none)]:hidden"
      data-testid="readout"
      data-value={String(value)}
    >
      {positionText(place.latitude, place.longitude)} {side ? `${words.compare.side[side]} ` : null}
      {unit ? (
        <strong className="text-text">{Number.isNaN(value) ? words.map.noValue : textOf(value, unit)}</strong>
      ) : null}
      {unit && oldTime ? ` ${words.map.ofTime({ time: oldTime })}` : null}
    </p>
  );
}
