import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { MapControls, OpenMap } from "#components/map/open-map.ts";
import { MapPicture, type PressedPicture } from "#components/map/picture/map-picture.tsx";
import { isPictured } from "#components/map/picture/picture-rule.ts";
import type { WeatherMapProps } from "#components/map/weather-map.tsx";
import { useInteracted } from "#components/view-state/use-interacted.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { MapScene } from "./map-with-storms.tsx";
import { paintStormsOn } from "./storms-on-picture.ts";
import { useMapScripts } from "./use-map-scripts.ts";
import { READ_AHEAD_MS, SCRIPTS_PAUSE_MS, usePause } from "./use-pause.ts";

/** How long presses have paused when the map is opened, milliseconds. */
const MAP_PAUSE_MS = 2000;

interface Props extends Omit<WeatherMapProps<MapScene>, "added" | "hidden" | "onOpen"> {
  /** Set to what is seen, for commands: the picture or the map. */
  controls: RefObject<MapControls | undefined>;
}

/**
 * The map; until the first use of the page a picture of it, where the view allows that. The picture stays, and does what is
 * asked of the map, until the map has been drawn below it.
 */
export function MapStage({ controls, ...props }: Props) {
  const { view, theme } = useView();
  const isUsed = useInteracted();
  const [isFocused, setFocused] = useState(false);
  const { scene } = props;
  const pictured = isPictured(view, { hasShip: scene.ship !== undefined, hasPlan: scene.plan !== undefined });
  // The theme is known in a browser only.
  const isLive = theme !== undefined;
  const needsMap = isLive && (isUsed || isFocused || !pictured);
  const [isWanted, setWanted] = useState(false);
  if (needsMap && !isWanted) setWanted(true);
  // While the picture answers presses one after the other, the map does not come between them, nor do its scripts.
  const isCalm = usePause(isWanted, SCRIPTS_PAUSE_MS, READ_AHEAD_MS);
  const { MapOfScene, hasFailed } = useMapScripts(isWanted && (isCalm || !pictured));
  const hasPaused = usePause(MapOfScene !== undefined, MAP_PAUSE_MS);
  const [isShown, setShown] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [hasPicture, setHasPicture] = useState(false);
  if (isLive && !hasPicture && !isShown && ((pictured && !isWanted) || hasFailed || isBroken))
    setHasPicture(true);
  const picture = useRef<PressedPicture<MapScene>>(undefined);
  const map = useRef<OpenMap<MapScene>>(undefined);
  /** The map is drawn, and waits for the end of a press. */
  const isReady = useRef(false);

  /** The picture has the keyboard. */
  const hasFocus = useRef(false);

  const show = useCallback(() => {
    if (!picture.current || picture.current.isPressed()) return;
    hasFocus.current = picture.current.isFocused();
    // Synchronously: a focus that reached the picture before a later commit would be lost with it, and the next key too.
    flushSync(() => setShown(true));
  }, []);
  const onMapOpen = (opened: OpenMap<MapScene> | undefined) => {
    map.current = opened;
    isReady.current = false;
    if (!opened) {
      if (isShown || !hasPicture) controls.current = undefined;
      return;
    }
    if (isShown || !hasPicture) {
      controls.current = opened;
      if (!isShown) setShown(true);
      return;
    }
    const camera = picture.current?.camera();
    if (camera) opened.jumpTo(camera.centre, camera.zoom);
    void opened.complete().then(() => {
      if (map.current !== opened) return;
      isReady.current = true;
      show();
    });
  };
  const onPictureOpen = (opened: PressedPicture<MapScene> | undefined) => {
    picture.current = opened;
    if (opened) controls.current = opened;
  };
  useLayoutEffect(() => {
    if (!isShown) return;
    controls.current = map.current;
    if (hasFocus.current) map.current?.focus();
  }, [isShown, controls]);

  const { onMove, onView, onHover, ...events } = props;
  return (
    <>
      {MapOfScene && !isBroken && (hasPaused || !hasPicture) ? (
        <MapOfScene
          {...events}
          hidden={hasPicture && !isShown}
          onOpen={onMapOpen}
          onMove={(...move) => isShown && onMove(...move)}
          onView={(box) => (isShown || !hasPicture) && onView(box)}
          onHover={(...hovered) => isShown && onHover(...hovered)}
          onBroken={() => {
            setBroken(true);
            props.onBroken();
          }}
        />
      ) : null}
      {hasPicture && !isShown ? (
        <MapPicture
          start={{ centre: props.centre, zoom: props.zoom }}
          scene={scene}
          paintAdded={paintStormsOn}
          onOpen={onPictureOpen}
          onFocus={() => setFocused(true)}
          onCamera={({ centre, zoom }) => map.current?.jumpTo(centre, zoom)}
          onMove={({ centre, zoom }) => onMove(centre, zoom)}
          onView={onView}
          onFirstField={props.onFirstField}
          onSample={props.onSample}
          onPick={props.onPick}
          onHover={onHover}
          onKey={props.onKey}
          isDrawing={props.isDrawing}
          // The click comes after the release, and is the picture's.
          onRelease={() => isReady.current && setTimeout(show)}
        />
      ) : null}
    </>
  );
}
