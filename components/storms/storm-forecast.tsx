import { milesText, stageWords } from "#components/storms/storm-words.ts";
import { shortTime } from "#components/time/words.ts";
import type { Zone } from "#components/time/zone.ts";
import type { Quadrants, StormEntry } from "#lib/contract/storm-form.ts";
import { positionText } from "#lib/position.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";

interface Props {
  entry: StormEntry;
  forecast: NonNullable<StormEntry["tracks"]["forecast"]>;
  zone: Zone;
  onTime(time: number): void;
}

/** The forecast as a table; a time takes the map there. */
export function StormForecast({ entry, forecast, zone, onTime }: Props) {
  return (
    <div className="overflow-x-auto">
      <table className="storm-table">
        <caption className="mb-1 text-left font-semibold text-sm">
          Forecast, winds as {averagingMinutes[entry.provider]}-minute means
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Wind</th>
            <th scope="col">Centre</th>
            <th scope="col">Gales reach</th>
            <th scope="col">Cone</th>
          </tr>
        </thead>
        <tbody>
          {forecast.points.map((point) => (
            <tr key={point.fhr}>
              <th scope="row">
                <button type="button" className="underline" onClick={() => onTime(point.time)}>
                  {shortTime(point.time, zone)}
                </button>
                <span className="block font-normal text-muted">+{point.fhr} h</span>
              </th>
              <td title={stageWords(point)}>
                {point.vmax_kt === null ? "—" : `${Math.round(point.vmax_kt)} kt`}
                <span className="block text-muted">
                  {point.type === "HU" ? `Cat. ${point.category}` : (point.type ?? "")}
                </span>
              </td>
              <td className="whitespace-nowrap">{positionText(point.lat, point.lon)}</td>
              <td>{galeText(point.wind_radii_km)}</td>
              <td>{point.cone_radius_km ? milesText(point.cone_radius_km) : "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The lowest threshold's quadrants, n mi: `NE 120 SE 100 SW 80 NW 90`, or one number where all are alike. */
function galeText(radii: StormEntry["tracks"]["observed"][number]["wind_radii_km"]): string {
  const lowest = radii && (("34kn" in radii ? radii["34kn"] : radii["30kn"]) as Quadrants | null);
  if (!lowest) return "not told";
  const { ne, se, sw, nw } = lowest;
  if (ne === se && se === sw && sw === nw) return ne === null ? "not told" : milesText(ne);
  return (["ne", "se", "sw", "nw"] as const)
    .map((quadrant) => `${quadrant.toUpperCase()} ${Math.round((lowest[quadrant] ?? 0) / 1.852)}`)
    .join(" ");
}
