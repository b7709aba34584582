import type { Theme } from "#components/view-state/themes.ts";
import { type ColourScale, colourScales, type DrawnVariable, probeTable } from "#lib/catalog/colours.ts";
import { FieldLayer, type FieldLayerOptions } from "./field-layer.ts";
import { type MapHost, type MapLayer, endOf } from "./map-layer.ts";
import { isFirstBandProbed } from "./probe.ts";
import { themedTable } from "#components/view-state/themed-table.ts";

/** The colours of the field. */
export function fieldMapLayer({ probe, onFirstField }: MapHost): MapLayer {
  const tables = new Map<string, Uint8Array>();
  const coloursOf = (variable: DrawnVariable, theme: Theme) => {
    const name = `${variable} ${theme}`;
    const table = tables.get(name) ?? (probe ? probeTable() : themedTable(colourScales[variable], theme));
    tables.set(name, table);
    return table;
  };
  let drawn = false;
  const onDrawn = () => {
    if (drawn) return;
    drawn = true;
    requestAnimationFrame(() => {
      performance.mark(FIELD_MARK);
      onFirstField();
    });
  };
  return {
    layers({ field, theme }) {
      // Without a field too: its shaders are compiled while the field is on its way.
      const variable = field?.variable ?? "wind";
      const { range, paints } = painting(colourScales[variable]);
      const options: FieldLayerOptions = {
        id: "field",
        beforeId: endOf("field"),
        visible: field !== undefined,
        pair: field?.pair,
        colours: coloursOf(variable, theme),
        range,
        paints,
        onDrawn,
        pickable: false,
        parameters: { depthCompare: "always", depthWriteEnabled: false },
      };
      return [new FieldLayer(options)];
    },
  };
}

/** What the colours stand for; for tests of a component, values to either side of zero. */
function painting({ range, paints }: ColourScale): Pick<ColourScale, "range" | "paints"> {
  return isFirstBandProbed() ? { range: [-range[1], range[1]], paints: "value" } : { range, paints };
}

/** Name of the mark, in the browser's own timeline, of the frame after a map's first field was drawn. */
const FIELD_MARK = "field";
