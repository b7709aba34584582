import { GPUInitializationError } from "maplibre-gl";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import type { MapEvents } from "./map-events.ts";
import type { AddedLayers } from "./map-layer.ts";
import { type MapControls, type OpenMap, openMap } from "./open-map.ts";
import type { Scene } from "./scene.ts";

export interface WeatherMapProps<S extends Scene> extends Omit<MapEvents, "onRestored"> {
  /** Where the map opens, and opens again after the browser has lost its graphics; later moves are the user's. */
  camera(): { centre: Place; zoom: number };
  /** Must be a new object only if something changed. */
  scene: S;
  /** Layers of other features; they do not change while the map is open. */
  added: AddedLayers<S>;
  /** Receives the open map, for imperative calls. */
  controls: RefObject<MapControls | undefined>;
  /** Called if this browser has no WebGL 2: nothing is drawn, and no field will be requested. */
  onBroken(): void;
}

/** The map. React passes the scene; MapLibre and deck.gl draw it outside React's state. */
export function WeatherMap<S extends Scene>(props: WeatherMapProps<S>) {
  // The language of a page never changes, so words need not be a dependency.
  const words = useWords();
  const element = useRef<HTMLDivElement>(null);
  const map = useRef<OpenMap<S>>(undefined);
  const latest = useEffectEvent(() => props);
  const [broken, setBroken] = useState(false);
  const [restored, setRestored] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `restored` opens another map
  useEffect(() => {
    if (!element.current) return;
    const { camera, scene, added } = latest();
    const events = {
      onMove: (...move) => latest().onMove(...move),
      onView: (box) => latest().onView(box),
      onSample: (...place) => latest().onSample(...place),
      onMenu: (place, at) => latest().onMenu(place, at),
      onPick: (...picked) => latest().onPick(...picked),
      isDrawing: () => latest().isDrawing(),
      onHover: (...hovered) => latest().onHover(...hovered),
      onKey: (event) => latest().onKey(event),
      onFirstField: () => latest().onFirstField(),
      onTiles: (id, answers) => latest().onTiles(id, answers),
      onRestored: () => setRestored((times) => times + 1),
    } satisfies MapEvents;
    let opened: OpenMap<S>;
    try {
      opened = openMap(element.current, { ...camera(), projection: scene.projection }, added, events, words);
    } catch (error) {
      if (!(error instanceof GPUInitializationError)) throw error;
      setBroken(true);
      latest().onBroken();
      return;
    }
    map.current = opened;
    const { controls } = latest();
    controls.current = opened;
    return () => {
      controls.current = undefined;
      opened.close();
    };
  }, [restored]);

  const { scene } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `restored` opened another map
  useEffect(() => map.current?.draw(scene), [scene, restored]);

  if (broken) return null;
  return <div ref={element} className="weather-map absolute inset-0" data-testid="map" />;
}
