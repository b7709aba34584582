import { useEffect, useState } from "react";
import type { SecondaryField } from "#components/map/use-secondary-field.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import { valuesInView, viewSummary, viewValueText } from "./view-summary.ts";

interface Props {
  pair: FramePair | undefined;
  /** undefined on the plain map. */
  layer: DrawnVariable | undefined;
  /** What lies over it as lines. */
  lines: readonly SecondaryField[];
  centre: Place;
  box: ViewBox | undefined;
  units: Units;
  /** What is heard while a field is on its way. */
  loading: string | undefined;
}

/** How long the map must rest before it is told, ms. */
const REST_MS = 800;
const SIZE = 5;

/** The map for those who do not see it: a text after each move, and a table of values on demand. */
export function ViewWords({ pair, layer, lines, centre, box, units, loading }: Props) {
  const [told, setTold] = useState("");
  const [listed, setListed] = useState(false);
  useEffect(() => {
    if (!box || (layer && !pair)) return;
    const told = [...(layer ? [{ variable: layer, pair }] : []), ...lines];
    const timer = setTimeout(() => setTold(viewSummary(told, centre, box, units)), REST_MS);
    return () => clearTimeout(timer);
  }, [pair, layer, lines, centre, box, units]);
  const title = layer && paintedOutput(layer).title;
  return (
    <>
      <p className="sr-only" aria-live="polite" data-testid="view-words">
        {loading ?? told}
      </p>
      {pair && box ? (
        <button type="button" className="view-list" onClick={() => setListed(true)}>
          List values in view
        </button>
      ) : null}
      {listed && pair && layer && box ? (
        <Dialog title={`${title} in view`} onClose={() => setListed(false)}>
          <p className="mb-3 text-sm">{told}</p>
          {/* Its cells do not break: on a phone it scrolls sideways, by keyboard too. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <div className="overflow-x-auto" tabIndex={0}>
            <table className="series w-full text-right text-xs tabular-nums">
              <caption className="sr-only">{title} on a lattice over the map, north above</caption>
              <tbody>
                {valuesInView(pair, layer, box, SIZE).map((row) => (
                  <tr key={row[0]?.latitude}>
                    {row.map(({ latitude, longitude, value }) => (
                      <td key={longitude} className="whitespace-nowrap p-1">
                        <span className="block text-muted">{shortPosition(latitude, longitude)}</span>
                        <strong>{viewValueText(value, layer, units)}</strong>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

/** `48°N 5°W`, by whole minutes. */
function shortPosition(latitude: number, longitude: number): string {
  return positionText(latitude, longitude).replaceAll(/\.\d′/g, "′");
}
