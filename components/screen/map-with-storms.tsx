import { labelFont } from "#components/map/basemap.ts";
import { lazyMapLayer } from "#components/map/layers.ts";
import { endOf, type MapHost, PLAN_LEGS, PLAN_WAYPOINTS } from "#components/map/map-layer.ts";
import type { Scene } from "#components/map/scene.ts";
import { WeatherMap, type WeatherMapProps } from "#components/map/weather-map.tsx";
import type { ShipScene } from "#components/ship/ship-map-layer.ts";
import { STORM_LAYER, type StormScene } from "#components/storms/storm-shapes.ts";
import { stormsMapLayer } from "#components/storms/storms-map-layer.ts";
import { TIDE_LAYERS, type TideScene } from "#components/tides/tide-scene.ts";
import { coveredByPanel } from "./covered.ts";

/** The map's scene including storms, the ship and tides. */
export interface MapScene extends Scene {
  /** undefined draws none. */
  storms: StormScene | undefined;
  ship: ShipScene | undefined;
  tides: TideScene | undefined;
}

const added = {
  layers: [
    ({ map, element }: MapHost) =>
      stormsMapLayer({
        map,
        element,
        labelFont,
        areasBefore: endOf("storms"),
        // Labels of storms lie above place names, and are placed first.
        labelsBefore: endOf("storm-names"),
        covered: coveredByPanel,
      }),
    lazyMapLayer<MapScene>(
      async () => {
        const { shipMapLayer } = await import("#components/ship/ship-map-layer.ts");
        return ({ map, element }) => shipMapLayer({ map, element, labelFont, before: endOf("marks") });
      },
      ({ ship }) => ship !== undefined,
    ),
    lazyMapLayer<MapScene>(
      async () => {
        const { tidesMapLayer } = await import("#components/tides/tides-map-layer.ts");
        const [before, nameBefore] = [endOf("storms"), endOf("storm-names")];
        return ({ map, element }) => tidesMapLayer({ map, element, labelFont, before, nameBefore });
      },
      ({ tides }) => tides !== undefined,
    ),
  ],
  pickable: [PLAN_WAYPOINTS, STORM_LAYER, ...TIDE_LAYERS, PLAN_LEGS],
};

/**
 * The weather map with the layers of storms, the ship and tides. This file is separate because it contains
 * most of the page's scripts and is loaded on its own.
 */
export function MapWithStorms(props: Omit<WeatherMapProps<MapScene>, "added">) {
  return <WeatherMap<MapScene> {...props} added={added} />;
}
