import {
  mapColours,
  type Rgba,
  rgbaOf,
  type Theme,
  themedTable,
} from "#components/view-state/map-colours.ts";
import { differenceScale, probeTable } from "#lib/catalog/colours.ts";
import { layerOf, type PaintedName, type PaintedScale, paintedScale } from "#lib/catalog/painted.ts";
import { clipOf } from "./divider.ts";
import { FieldLayer, type FieldLayerOptions } from "./field-layer.ts";
import { landOfView } from "./land/land-of-view.ts";
import { endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import { isFirstBandProbed } from "./probe.ts";
import type { ComparedScene, Scene } from "./scene.ts";

/** The colours of the field, and of the one that it is compared with. */
export function fieldMapLayer(host: MapHost): MapLayer {
  const { map, element, probe, onFirstField } = host;
  const tables = new Map<string, Uint8Array>();
  const coloursOf = (variable: PaintedName, theme: Theme, old: boolean, scale = paintedScale(variable)) => {
    const name = `${variable} ${theme} ${old} ${scale.range[0]}`;
    const table = tables.get(name) ?? (probe ? probeTable() : themedTable(scale, theme, old));
    tables.set(name, table);
    return table;
  };
  const hatchings = new Map<Theme, Rgba>();
  const hatchingOf = (theme: Theme): Rgba => {
    if (probe) return [0, 0, 0, 0];
    const hatching = hatchings.get(theme) ?? rgbaOf(mapColours(element).missing);
    hatchings.set(theme, hatching);
    return hatching;
  };
  // Without the land, the colours would show it as sea.
  const hasLand = landOfView(map);
  let drawn = false;
  const onDrawn = () => {
    if (drawn) return;
    drawn = true;
    requestAnimationFrame(() => {
      performance.mark(FIELD_MARK);
      onFirstField();
    });
  };
  const painted = (id: string, field: Scene["field"], theme: Theme): FieldLayerOptions => {
    // The layer exists even without a field, so that the shaders compile while the field loads.
    const variable = field?.variable ?? "wind";
    const { range, paints } = painting(paintedScale(variable));
    return {
      id,
      beforeId: endOf("field"),
      visible: field !== undefined,
      isShown: hasLand,
      pair: field?.pair,
      colours: coloursOf(variable, theme, field?.old === true),
      range,
      paints,
      missing: hatchingOf(theme),
      pickable: false,
      parameters: { depthCompare: "always", depthWriteEnabled: false },
    };
  };
  let divided: ComparedScene["divider"] | undefined;
  let endMoves = (): unknown => undefined;
  // The functions are the same for all draws, so that deck.gl sees no change.
  const clips = {
    a: () => clipOf("a", divided, map.getCanvas().width),
    b: () => clipOf("b", divided, map.getCanvas().width),
  };
  return {
    draw({ compared }) {
      if (compared?.divider === divided) return;
      endMoves();
      divided = compared?.divider;
      const moved = () => {
        map.triggerRepaint();
        host.redraw();
      };
      endMoves = divided?.onMove(moved) ?? (() => undefined);
    },
    layers({ field, compared, theme }) {
      if (compared?.base && compared.field) {
        const { variable, old } = compared.field;
        const scale = differenceScale(layerOf(variable));
        const difference: FieldLayerOptions = {
          ...painted("field-b", compared.field, theme),
          base: compared.base,
          // A grey difference would not show which of the two has more, so an old one is faint.
          colours: coloursOf(variable, theme, false, scale),
          opacity: old ? OLD_OPACITY : 1,
          range: scale.range,
          paints: scale.paints,
          onDrawn,
        };
        return [new FieldLayer({ ...painted("field", undefined, theme) }), new FieldLayer(difference)];
      }
      const layers = [new FieldLayer({ ...painted("field", field, theme), onDrawn, clip: clips.a })];
      if (compared)
        layers.push(new FieldLayer({ ...painted("field-b", compared.field, theme), clip: clips.b }));
      return layers;
    },
    close: () => void endMoves(),
  };
}

const OLD_OPACITY = 0.45;

/** Range of the colours; in tests of a single component it is symmetric about zero. */
function painting({ range, paints }: PaintedScale): Pick<PaintedScale, "range" | "paints"> {
  return isFirstBandProbed() ? { range: [-range[1], range[1]], paints: "value" } : { range, paints };
}

/** Performance mark of the frame after a map's first field was drawn. */
const FIELD_MARK = "field";
