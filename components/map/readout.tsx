import { type RefObject, useEffect, useState } from "react";
import type { Place } from "#components/view/view-url.ts";
import type { ColourScale } from "#lib/catalog/colours.ts";
import { type FramePair, samplePlane } from "#lib/field/sample.ts";
import { positionText, type SpeedUnit, speedText } from "#lib/units.ts";

interface Props {
  /** Set to the function that takes the place under the cursor, so that moving the cursor redraws only this line. */
  sink: RefObject<((place: Place | undefined) => void) | undefined>;
  pair: FramePair | undefined;
  scale: ColourScale;
  unit: SpeedUnit;
}

/** Position and value under the cursor, read from the same numbers as the colour. */
export function Readout({ sink, pair, scale, unit }: Props) {
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    sink.current = setPlace;
    return () => {
      sink.current = undefined;
    };
  }, [sink]);
  if (!place) return <p className="max-md:hidden">Click the sea for conditions.</p>;
  const value = pair ? paintedValue(pair, scale, place) : Number.NaN;
  return (
    <p className="whitespace-nowrap tabular-nums max-md:hidden" data-testid="readout" data-value={value}>
      {positionText(place.latitude, place.longitude)}{" "}
      <strong>{Number.isNaN(value) ? "no value" : speedText(value, unit)}</strong>
    </p>
  );
}

/** What the map paints at a place, in the unit of the field. */
function paintedValue(pair: FramePair, { paints }: ColourScale, { latitude, longitude }: Place): number {
  const first = samplePlane(pair, 0, latitude, longitude);
  return paints === "value" ? first : Math.hypot(first, samplePlane(pair, 1, latitude, longitude));
}
