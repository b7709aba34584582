import { aboutOf, type Origin, type Points } from "#lib/table/table.ts";
import type { PointParameter } from "./coverage-json.ts";
import { coverageParameter } from "./parameters.ts";

/** Features per piece. */
const FEATURES_A_PIECE = 1024;

const utf8 = new TextEncoder();

/**
 * Places and times as EDR GeoJSON: a Feature for each, whose properties have the values by parameter, null for missing.
 *
 * @param endpoint Address of the query that answers at such places.
 */
export function* featurePieces(
  { rows, latitude, longitude, timestamp }: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  parameters: readonly PointParameter[],
  endpoint: string,
  origin: Origin,
): Generator<Uint8Array, void, undefined> {
  const head = JSON.stringify({
    type: "FeatureCollection",
    ...aboutOf(origin),
    parameters: parameters.map(({ output }) => coverageParameter(output)),
    numberReturned: rows,
  });
  yield utf8.encode(`${head.slice(0, -1)},"features":[`);
  const names = parameters.map(({ output }) => output.point);
  for (let from = 0; from < rows; from += FEATURES_A_PIECE) {
    let text = "";
    for (let row = from; row < Math.min(rows, from + FEATURES_A_PIECE); row++) {
      // NaN is null in JSON.
      const values = Object.fromEntries(parameters.map(({ output, value }) => [output.point, value(row)]));
      const properties = {
        datetime: timestamp(row),
        label: `${latitude(row)} ${longitude(row)}`,
        "parameter-name": names,
        edrqueryendpoint: endpoint,
        ...values,
      };
      const geometry = { type: "Point", coordinates: [longitude(row), latitude(row)] };
      text += `${row === 0 ? "\n" : ",\n"}${JSON.stringify({ type: "Feature", id: row, geometry, properties })}`;
    }
    yield utf8.encode(text);
  }
  yield utf8.encode("\n]}\n");
}
