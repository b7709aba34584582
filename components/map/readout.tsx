import { type RefObject, useEffect, useState } from "react";
import type { Side } from "#components/view-state/compared.ts";
import { readingOf } from "#components/view-state/layers.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { positionText } from "#lib/position.ts";
import { textIn, type Units, unitFor } from "#lib/units.ts";
import { paintedValue } from "./painted-value.ts";

interface Props extends Sampled {
  /** Set to the function that takes the place under the cursor, so that a moving cursor renders only this line. */
  sink: RefObject<((place: Place | undefined, side?: Side) => void) | undefined>;
  /** What is drawn on the side B of a divider, where two pictures are compared. */
  other?: Omit<Sampled, "units"> | undefined;
}

interface Sampled {
  pair: FramePair | undefined;
  /** Layer of `pair`; undefined on the plain map. */
  layer: DrawnVariable | undefined;
  units: Units;
  /** Time of `pair`, where it is not the one wanted: `Thu 1 Jan 06:00`. */
  oldTime?: string | undefined;
}

/** Position and value under the cursor; nothing while it is off the map. */
export function Readout({ sink, other, ...sampled }: Props) {
  const [{ place, side }, setPlace] = useState<{ place?: Place | undefined; side?: Side | undefined }>({});
  useEffect(() => {
    sink.current = (place, side) => setPlace({ place, side });
    return () => {
      sink.current = undefined;
    };
  }, [sink]);
  const shown = side === "b" && other ? { ...sampled, ...other } : sampled;
  return place ? <ReadoutLine place={place} side={side} {...shown} /> : null;
}

/** Position and value of a place, sampled from the same numbers as the colour. */
export function ReadoutLine({
  place,
  side,
  pair,
  layer,
  units,
  oldTime,
}: Sampled & { place: Place; side?: Side | undefined }) {
  const words = useWords();
  const value = pair && layer ? paintedValue(pair, layer, place) : Number.NaN;
  const unit = layer && unitFor(paintedOutput(layer).unit, units, readingOf(layer), words);
  return (
    <p
      className="shrink-0 whitespace-nowrap tabular-nums max-md:hidden"
      data-testid="readout"
      data-value={String(value)}
    >
      {positionText(place.latitude, place.longitude)} {side ? `${words.compare.side[side]} ` : null}
      {unit ? (
        <strong className="text-text">{Number.isNaN(value) ? words.map.noValue : textIn(value, unit)}</strong>
      ) : null}
      {unit && oldTime ? ` ${words.map.ofTime(oldTime)}` : null}
    </p>
  );
}
