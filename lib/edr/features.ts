import { aboutOf, heightOf, type Origin, type Points } from "#lib/table/table.ts";
import type { PointParameter } from "./coverage-json.ts";

/** Features per piece. */
const FEATURES_A_PIECE = 1024;

const utf8 = new TextEncoder();

/**
 * Places and times as EDR GeoJSON: a Feature for each, whose properties have the values by parameter, null for missing. The
 * collection describes the parameters: editions of the standard disagree on the form of that here, so that only their units
 * and heights are repeated.
 *
 * @param collection Address of the collection.
 * @param endpoint Address of the query that answers at such places.
 */
export function* featurePieces(
  { rows, latitude, longitude, timestamp }: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  parameters: readonly PointParameter[],
  { collection, endpoint }: { collection: string; endpoint: string },
  origin: Origin,
): Generator<Uint8Array, void, undefined> {
  const heights = parameters.flatMap(({ output: { point } }) => {
    const height = heightOf(point, origin);
    return height === undefined ? [] : [[point, height] as const];
  });
  const head = JSON.stringify({
    type: "FeatureCollection",
    ...aboutOf(origin),
    units: Object.fromEntries(parameters.map(({ output }) => [output.point, output.unit])),
    heights_m: Object.fromEntries(heights),
    links: [{ href: collection, rel: "collection", type: "application/json", title: "The collection" }],
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
      text += `${row === 0 ? "\n" : ",\n"}${JSON.stringify({ type: "Feature", id: String(row), geometry, properties })}`;
    }
    yield utf8.encode(text);
  }
  yield utf8.encode("\n]}\n");
}
