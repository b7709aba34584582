import { useEffect, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { formatClock, formatZonedTime } from "#components/view-state/format-time.ts";
import { layerTitle } from "#components/view-state/overlays.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { inSentence } from "#lib/messages/words.ts";
import { positionText } from "#lib/position.ts";
import { useScreen, useWeather } from "./screen-context.tsx";
import { formatViewValue, valuesInView, viewSummary } from "./view-summary.ts";

/** How long the map must be still before it is described, ms. */
const REST_MS = 800;
const SIZE = 5;

/**
 * The map for screen readers: a text after each move, and a table of values on request. @param broken The
 * browser cannot draw the map.
 */
export function ViewDescription({ broken }: { broken: boolean }) {
  const view = useView("c", "u", "l");
  const zone = useZone();
  const { words } = zone;
  const { view: texts } = words.screen;
  const {
    drawn: layer,
    compare,
    ...weather
  } = useWeather(
    "time",
    "drawnTime",
    "drawnFixed",
    "old",
    "pair",
    "drawn",
    "lines",
    "box",
    "loading",
    "compare",
  );
  const { time, drawnTime, drawnFixed, old, pair, lines, box } = weather;
  const loading = weather.loading && !broken;
  const { pair: otherPair, drawn: otherLayer, drawnTime: otherTime, difference } = compare ?? {};
  const { overlays } = useScreen();
  const { dialog } = overlays.use("dialog");
  const { c: centre, u: units } = view;
  const [summary, setSummary] = useState("");
  useEffect(() => {
    if (!box || (layer && !pair)) return;
    // A difference is drawn in place of both pictures.
    const fields = difference ? [difference] : [...(layer ? [{ variable: layer, pair }] : []), ...lines];
    const other = !difference &&
      otherLayer && {
        variable: otherLayer,
        pair: otherPair,
        time: otherTime === undefined ? words.compare.fixed : formatZonedTime(otherTime, zone),
      };
    const describe = () => setSummary(viewSummary(fields, centre, box, units, words, other || undefined));
    const timer = setTimeout(describe, REST_MS);
    return () => clearTimeout(timer);
  }, [pair, layer, lines, centre, box, units, words, otherPair, otherLayer, otherTime, difference, zone]);
  const title = layer ? layerTitle(layer, words) : "";
  const drawnAt = drawnTime === undefined || drawnFixed ? undefined : formatZonedTime(drawnTime, zone);
  const awaited =
    loading && time !== undefined
      ? texts.loading({ ...inSentence(layerTitle(view.l, words)), time: formatClock(time, zone) })
      : "";
  const standing = texts.stillDrawn({ title, time: drawnAt });
  const announcement = old
    ? (awaited ? [standing, awaited] : [standing]).join(words.ui.joins.sentences)
    : awaited || summary;
  return (
    <>
      <p className="sr-only" aria-live="polite" data-testid="view-words">
        {announcement}
      </p>
      {pair && box ? (
        <button type="button" className="view-list" onClick={() => overlays.change({ dialog: "values" })}>
          {texts.list}
        </button>
      ) : null}
      {dialog === "values" && pair && layer && box ? (
        <Dialog
          title={texts.titleOf({ title, time: drawnAt })}
          onClose={() => overlays.change({ dialog: undefined })}
        >
          <p className="mb-3 text-sm">{summary}</p>
          {/* Its cells do not wrap, so on a phone it scrolls sideways, also by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <div className="overflow-x-auto" tabIndex={0}>
            <table className="series w-full text-right text-xs tabular-nums">
              <caption className="sr-only">{texts.lattice({ title })}</caption>
              <tbody>
                {valuesInView(pair, layer, box, SIZE).map((row) => (
                  <tr key={row[0]?.latitude}>
                    {row.map(({ latitude, longitude, value }) => (
                      <td key={longitude} className="whitespace-nowrap p-1">
                        <span className="block text-muted">{shortPosition(latitude, longitude)}</span>
                        <strong>{formatViewValue(value, layer, units, words)}</strong>
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

/** A position in whole minutes: `48°30′N 005°10′W`. */
function shortPosition(latitude: number, longitude: number): string {
  return positionText(latitude, longitude).replaceAll(/\.\d′/g, "′");
}
