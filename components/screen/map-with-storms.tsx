import { endOf, type MapHost } from "#components/map/map-layer.ts";
import { labelFont } from "#components/map/names-map-layer.ts";
import type { Scene } from "#components/map/scene.ts";
import { WeatherMap, type WeatherMapProps } from "#components/map/weather-map.tsx";
import type { StormScene } from "#components/storms/storm-shapes.ts";
import { STORM_LAYER, stormsMapLayer } from "#components/storms/storms-map-layer.ts";

/** The scene of the map, with its storms. */
export interface MapScene extends Scene {
  /** undefined draws none. */
  storms: StormScene | undefined;
}

const storms = {
  layers: [
    ({ map, element }: MapHost) =>
      stormsMapLayer({
        map,
        element,
        labelFont,
        areasBefore: endOf("storms"),
        // Labels of storms lie above place names, and are placed before them.
        labelsBefore: endOf("storm-names"),
      }),
  ],
  pickable: STORM_LAYER,
};

/** The weather map with the layers of storms. In a file of its own: it is most of the page's scripts, loaded by itself. */
export function MapWithStorms(props: Omit<WeatherMapProps<MapScene>, "added">) {
  return <WeatherMap<MapScene> {...props} added={storms} />;
}
