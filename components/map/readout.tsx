import { type RefObject, useEffect, useState } from "react";
import { isSlow, paintedOutput } from "#components/view/layers.ts";
import type { Place } from "#components/view/view-url.ts";
import { colourScales, type DrawnVariable } from "#lib/catalog/colours.ts";
import { type FramePair, samplePlane } from "#lib/field/sample.ts";
import { positionText } from "#lib/position.ts";
import { textIn, type Units, unitFor } from "#lib/units.ts";

interface Props {
  /** Set to the function that takes the place under the cursor, so that moving the cursor redraws only this line. */
  sink: RefObject<((place: Place | undefined) => void) | undefined>;
  pair: FramePair | undefined;
  /** The layer that `pair` is of. */
  layer: DrawnVariable;
  units: Units;
}

/** Position and value under the cursor, read from the same numbers as the colour. */
export function Readout({ sink, pair, layer, units }: Props) {
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    sink.current = setPlace;
    return () => {
      sink.current = undefined;
    };
  }, [sink]);
  if (!place) return null;
  const value = pair ? paintedValue(pair, layer, place) : Number.NaN;
  const unit = unitFor(paintedOutput(layer).unit, units, isSlow(layer));
  return (
    <p
      className="shrink-0 whitespace-nowrap tabular-nums max-md:hidden"
      data-testid="readout"
      data-value={value}
    >
      {positionText(place.latitude, place.longitude)}{" "}
      <strong className="text-text">{Number.isNaN(value) ? "no value" : textIn(value, unit)}</strong>
    </p>
  );
}

/** What the map paints at a place, in the unit of the field; NaN where there is no value. */
export function paintedValue(pair: FramePair, layer: DrawnVariable, { latitude, longitude }: Place): number {
  const first = samplePlane(pair, 0, latitude, longitude);
  const { paints } = colourScales[layer];
  return paints === "value" ? first : Math.hypot(first, samplePlane(pair, 1, latitude, longitude));
}
