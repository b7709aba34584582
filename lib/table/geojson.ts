import type { Table } from "./table.ts";

/** Features per piece. */
const FEATURES_A_PIECE = 1024;

const utf8 = new TextEncoder();

/**
 * A GeoJSON FeatureCollection (RFC 7946) of Points, each with its time and its values as properties, null for missing.
 * The members `notice`, `provenance` and the units of the properties come first.
 */
export function* geojsonPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const [latitude, longitude] = ["latitude", "longitude"].map(
    (name) => columns.find((column) => column.name === name)!,
  );
  const others = columns.filter((column) => column !== latitude && column !== longitude);
  const units = Object.fromEntries(others.flatMap(({ name, unit }) => (unit ? [[name, unit]] : [])));
  const head = JSON.stringify({ type: "FeatureCollection", ...about, units });
  yield utf8.encode(`${head.slice(0, -1)},"features":[`);
  for (let from = 0; from < rows; from += FEATURES_A_PIECE) {
    let text = "";
    for (let row = from; row < Math.min(rows, from + FEATURES_A_PIECE); row++) {
      const properties = Object.fromEntries(
        others.map(({ name, text: written, value }) => [name, written ? written(row) : value(row)]),
      );
      // NaN is null in JSON.
      text += `${row === 0 ? "\n" : ",\n"}${JSON.stringify({
        type: "Feature",
        geometry: { type: "Point", coordinates: [longitude!.value(row), latitude!.value(row)] },
        properties,
      })}`;
    }
    yield utf8.encode(text);
  }
  yield utf8.encode("\n]}\n");
}
