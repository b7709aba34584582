import { FieldLayer, type FieldLayerOptions } from "#components/map/field-layer.ts";
import { type MapHost, type MapPart, within } from "#components/map/map-part.ts";
import { probingPlane } from "#components/map/probe.ts";
import { themedTable } from "#components/map/themed-table.ts";
import type { Theme } from "#components/view/themes.ts";
import {
  type ColourScale,
  colourScales,
  colourTable,
  type DrawnVariable,
  probeTable,
} from "#lib/catalog/colours.ts";

/** The colours of the field. */
export function fieldPart({ probe }: MapHost): MapPart {
  const tables = new Map<string, Uint8Array>();
  const coloursOf = (variable: DrawnVariable, theme: Theme) => {
    const name = `${variable} ${theme}`;
    const table =
      tables.get(name) ?? (probe ? probeTable() : themedTable(colourTable(colourScales[variable]), theme));
    tables.set(name, table);
    return table;
  };
  return {
    layers({ field, theme }) {
      if (!field) return [];
      const { range, paints } = painting(colourScales[field.variable]);
      const options: FieldLayerOptions = {
        id: "field",
        beforeId: within("field"),
        pair: field.pair,
        colours: coloursOf(field.variable, theme),
        range,
        paints,
        pickable: false,
        parameters: { depthCompare: "always", depthWriteEnabled: false },
      };
      return [new FieldLayer(options)];
    },
  };
}

/** What the colours stand for; for tests of a component, values to either side of zero. */
function painting({ range, paints }: ColourScale): Pick<ColourScale, "range" | "paints"> {
  return probingPlane() ? { range: [-range[1], range[1]], paints: "value" } : { range, paints };
}
