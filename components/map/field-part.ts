import { FieldLayer, type FieldLayerOptions } from "#components/map/field-layer.ts";
import { type MapHost, type MapPart, within } from "#components/map/map-part.ts";
import { colourScales, colourTable, type DrawnVariable, probeTable } from "#lib/catalog/colours.ts";

/** The colours of the field. */
export function fieldPart({ probe }: MapHost): MapPart {
  const tables = new Map<DrawnVariable, Uint8Array>();
  const coloursOf = (variable: DrawnVariable) => {
    const table = tables.get(variable) ?? (probe ? probeTable() : colourTable(colourScales[variable]));
    tables.set(variable, table);
    return table;
  };
  return {
    layers({ field }) {
      if (!field) return [];
      const { range, paints } = colourScales[field.variable];
      const options: FieldLayerOptions = {
        id: "field",
        beforeId: within("field"),
        pair: field.pair,
        colours: coloursOf(field.variable),
        range,
        paints,
        pickable: false,
        parameters: { depthCompare: "always", depthWriteEnabled: false },
      };
      return [new FieldLayer(options)];
    },
  };
}
