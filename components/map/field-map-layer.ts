import { themedTable } from "#components/view-state/themed-table.ts";
import type { Theme } from "#components/view-state/themes.ts";
import { type ColourScale, colourScales, type DrawnVariable, probeTable } from "#lib/catalog/colours.ts";
import { FieldLayer, type FieldLayerOptions } from "./field-layer.ts";
import { endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import { isFirstBandProbed } from "./probe.ts";

/** The colours of the field. */
export function fieldMapLayer({ probe, onFirstField }: MapHost): MapLayer {
  const tables = new Map<string, Uint8Array>();
  const coloursOf = (variable: DrawnVariable, theme: Theme, old: boolean) => {
    const name = `${variable} ${theme} ${old}`;
    const table =
      tables.get(name) ?? (probe ? probeTable() : themedTable(colourScales[variable], theme, old));
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
      // Also without a field: the shaders compile while the field loads.
      const variable = field?.variable ?? "wind";
      const { range, paints } = painting(colourScales[variable]);
      const options: FieldLayerOptions = {
        id: "field",
        beforeId: endOf("field"),
        visible: field !== undefined,
        pair: field?.pair,
        colours: coloursOf(variable, theme, field?.old === true),
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

/** Range of the colours; for tests of a single component, symmetric about zero. */
function painting({ range, paints }: ColourScale): Pick<ColourScale, "range" | "paints"> {
  return isFirstBandProbed() ? { range: [-range[1], range[1]], paints: "value" } : { range, paints };
}

/** Performance mark of the frame after a map's first field was drawn. */
const FIELD_MARK = "field";
