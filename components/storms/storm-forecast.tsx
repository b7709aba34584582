import { useClock } from "#components/view-state/clock-context.ts";
import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Words } from "#lib/messages/words.ts";
import { positionText } from "#lib/position.ts";
import { galeThreshold } from "#lib/storms/danger.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import { ColumnHead } from "./column-head.tsx";
import { formatStage, quadrantLines, shortStage } from "./format-storm.ts";

interface Props {
  entry: StormEntry;
  forecast: NonNullable<StormEntry["tracks"]["forecast"]>;
}

/** The forecast as a table; a click on a time shows it on the map. */
export function StormForecast({ entry, forecast }: Props) {
  const { zone } = useView();
  const { setTime } = useClock();
  const words = useWords("stormCard");
  const { forecast: text } = words.stormCard;
  return (
    <div className="overflow-x-auto">
      <table className="storm-table">
        <caption className="mb-1 text-left font-semibold text-sm">
          {text.caption({ minutes: averagingMinutes[entry.provider] })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{text.time}</th>
            <ColumnHead {...text.wind} />
            <th scope="col">{text.centre}</th>
            <ColumnHead
              what={text.reach.what({ thresholdKt: galeThreshold(entry) })}
              unit={text.reach.unit}
            />
            <ColumnHead {...text.cone} />
          </tr>
        </thead>
        <tbody>
          {forecast.points.map((point) => (
            <tr key={point.fhr}>
              <th scope="row">
                <button type="button" className="text-left underline" onClick={() => setTime(point.time)}>
                  <span className="block">{formatWeekdayDay(point.time, zone)}</span>{" "}
                  {formatClock(point.time, zone)}
                </button>
                <span className="font-normal text-muted"> +{point.fhr} h</span>
              </th>
              <td title={formatStage(point, entry, words)}>
                {point.vmax_kt === null ? "—" : Math.round(point.vmax_kt)}
                <span className="block text-muted">{shortStage(point, entry, words)}</span>
              </td>
              <td>
                {positionText(point.lat, point.lon)
                  .split(" ")
                  .map((part) => (
                    <span key={part} className="block">
                      {part}
                    </span>
                  ))}
              </td>
              <td>
                {reachLines(point.wind_radii_km, words).map((line) => (
                  <span key={line} className="block">
                    {line}
                  </span>
                ))}
                {point.sea_radii_km ? (
                  <span className="block text-muted">
                    {text.seas({ quadrants: quadrantLines(point.sea_radii_km["12ft"], words).join(" ") })}
                  </span>
                ) : null}
              </td>
              <td>{point.cone_radius_km ? Math.round(point.cone_radius_km / MILE_KM) : "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Reach of the lowest threshold: 34 kn, of the JMA 30 kn, which is no gale yet. */
function reachLines(radii: TrackPoint["wind_radii_km"], words: Words): string[] {
  return quadrantLines(radii && ("34kn" in radii ? radii["34kn"] : radii["30kn"]), words);
}
