import type { MapLayer, OpenMapLayer } from "./map-layer.ts";
import type { Scene } from "./scene.ts";

/**
 * A map layer whose file is loaded with the first scene that needs it. It has no deck.gl layers. If the file does not come,
 * the next scene asks for it again.
 */
export function lazyMapLayer(
  load: () => Promise<OpenMapLayer>,
  isNeeded: (scene: Scene) => boolean,
): OpenMapLayer {
  return (host) => {
    let layer: MapLayer | undefined;
    let latest: Scene | undefined;
    let isAsked = false;
    let isClosed = false;
    const open = async () => {
      try {
        const openLayer = await load();
        if (isClosed) return;
        layer = openLayer(host);
        if (latest) layer.draw?.(latest, undefined);
      } finally {
        isAsked = layer !== undefined;
      }
    };
    return {
      draw(scene, last) {
        latest = scene;
        if (layer) layer.draw?.(scene, last);
        else if (!isAsked && isNeeded(scene)) {
          isAsked = true;
          host.waitFor(open());
        }
      },
      close() {
        isClosed = true;
        layer?.close?.();
      },
    };
  };
}
