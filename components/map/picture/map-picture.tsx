import { useEffect, useRef } from "react";
import type { Camera, ScreenPoint } from "#components/map/map-view.ts";
import type { Scene } from "#components/map/scene.ts";
import { useWords } from "#components/words/words-context.ts";
import { type OpenPicture, openPicture, type PictureEvents } from "./open-picture.ts";
import type { PaintAdded } from "./paint-picture.ts";
import { attachPictureInput, type PictureInput } from "./picture-input.ts";
import { scaleBar } from "./scale-bar.ts";

export interface MapPictureProps<S extends Scene> extends PictureInput, PictureEvents {
  /** Where it opens; later moves are the user's own. */
  start: Pick<Camera, "centre" | "zoom">;
  scene: S;
  paintAdded: PaintAdded<S>;
  /** Called with the picture when it is open, and with undefined when it is closed. */
  onOpen(picture: PressedPicture<S> | undefined): void;
  onFocus(): void;
}

export interface PressedPicture<S extends Scene> extends OpenPicture<S> {
  /** A button or a finger is down on it. */
  isPressed(): boolean;
  isFocused(): boolean;
}

/**
 * The first view of the map: a picture that the page draws by itself, with the keys and gestures of the map, whose scripts
 * come with the first use of the page.
 */
export function MapPicture<S extends Scene>(props: MapPictureProps<S>) {
  const words = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const picture = useRef<OpenPicture<S>>(undefined);
  const { scene } = props;
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const { start, paintAdded, onOpen } = latest.current;
    const showScale = (camera: Camera) => {
      if (!scale.current) return;
      const { text, width } = scaleBar(camera, words);
      scale.current.textContent = text;
      scale.current.style.width = `${width}px`;
    };
    const opened = openPicture(
      element,
      start,
      paintAdded,
      {
        onCamera(camera) {
          showScale(camera);
          latest.current.onCamera(camera);
        },
        onMove: (camera) => latest.current.onMove(camera),
        onView: (box) => latest.current.onView(box),
        onFirstField: () => latest.current.onFirstField(),
      },
      words,
    );
    const input = attachPictureInput(element, opened, {
      onSample: (...sampled) => latest.current.onSample(...sampled),
      onPick: (...picked) => latest.current.onPick(...picked),
      onHover: (...hovered) => latest.current.onHover(...hovered),
      onKey: (event) => latest.current.onKey(event),
      isDrawing: () => latest.current.isDrawing(),
      onRelease: () => latest.current.onRelease(),
    });
    picture.current = opened;
    const isFocused = () => document.activeElement === element;
    onOpen({ ...opened, isPressed: input.isPressed, isFocused });
    return () => {
      input.close();
      opened.close();
      picture.current = undefined;
      onOpen(undefined);
    };
  }, [words]);

  useEffect(() => picture.current?.draw(scene), [scene]);

  const zoomBy = (by: number) => {
    const open = picture.current;
    if (!open) return;
    const { zoom, width, height } = open.camera();
    open.zoomAt(zoom + by, { x: width / 2, y: height / 2 } satisfies ScreenPoint);
  };
  return (
    <div className="weather-map absolute inset-0">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: as the canvas of the map has it */}
      <canvas
        ref={canvas}
        data-testid="picture"
        data-idle="false"
        role="application"
        aria-label={words.map.title}
        aria-describedby="map-keys"
        tabIndex={0}
        className="absolute inset-0 size-full cursor-grab touch-none"
        onFocus={props.onFocus}
      />
      {/* The controls of the map, in its places. */}
      <div className="maplibregl-ctrl-top-right">
        <div ref={scale} className="maplibregl-ctrl maplibregl-ctrl-scale" />
      </div>
      <div className="maplibregl-ctrl-bottom-right">
        <div className="maplibregl-ctrl maplibregl-ctrl-group">
          <ZoomButton of="in" label={words.map.zoomIn} onClick={() => zoomBy(1)} />
          <ZoomButton of="out" label={words.map.zoomOut} onClick={() => zoomBy(-1)} />
        </div>
      </div>
    </div>
  );
}

function ZoomButton({ of, label, onClick }: { of: "in" | "out"; label: string; onClick(): void }) {
  return (
    <button
      type="button"
      className={`maplibregl-ctrl-zoom-${of}`}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <span className="maplibregl-ctrl-icon" aria-hidden="true" />
    </button>
  );
}
