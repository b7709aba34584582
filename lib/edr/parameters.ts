import type { Output } from "#lib/catalog/variables.ts";
import { standardName } from "#lib/table/cf.ts";
import { heightOf, type Origin } from "#lib/table/table.ts";

/** Units in UCUM's case-sensitive form. */
const ucum: Readonly<Record<string, string>> = { "°": "deg", "°C": "Cel" };

const unitOf = ({ unit }: Output) => ({
  value: ucum[unit] ?? unit,
  type: "http://www.opengis.net/def/uom/UCUM/",
});

const propertyOf = (output: Output) => `http://vocab.nerc.ac.uk/standard_name/${standardName(output)}/`;

/** A parameter as collections describe it. */
export function collectionParameter(output: Output) {
  return {
    type: "Parameter",
    id: output.point,
    "data-type": "float",
    description: `${senseOf(output)}${collectionHeight(output)}`,
    unit: { label: { en: output.unit }, symbol: unitOf(output) },
    observedProperty: { id: propertyOf(output), label: output.title },
  };
}

function collectionHeight({ height }: Output): string {
  if (height === undefined) return "";
  return height === "asked" ? ", at the height z" : `, at ${height} m above the surface`;
}

/** A parameter as coverages describe it: texts have a language. */
export function coverageParameter(output: Output, origin: Origin) {
  const height = heightOf(output.point, origin);
  const sense = `${senseOf(output)}${height === undefined ? "" : `, at ${height} m above the surface`}`;
  return {
    type: "Parameter",
    id: output.point,
    description: { en: sense },
    unit: { label: { en: output.unit }, symbol: unitOf(output) },
    observedProperty: { id: propertyOf(output), label: { en: output.title } },
  };
}

function senseOf({ is, title }: Output): string {
  if (is === "bearingTo") return `${title}: degrees clockwise from true north, TO`;
  return is === "value" || is === "speed" ? title : `${title}: degrees clockwise from true north, FROM`;
}
