import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { useIsKeyRevoked } from "#components/api-client/api-key.tsx";
import { Legend } from "#components/legend/legend.tsx";
import { SymbolLegend } from "#components/legend/symbol-legend.tsx";
import { type Hovered, HoverReadout } from "#components/map/hover-readout.tsx";
import {
  BeyondNotice,
  BrokenNotice,
  LinesNotice,
  MapNotice,
  OldFieldNotice,
} from "#components/map/map-notice.tsx";
import { shipIcon } from "#components/ship/ship-icons.ts";
import { stormIcon } from "#components/storms/storm-icons.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { firstSource, layerTitle, paintedBy } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { DownloadButton } from "./download-button.tsx";
import { FirstRunHint } from "./first-run-hint.tsx";
import { loadMap } from "./load-map.ts";
import { NoticeBar } from "./notice-bar.tsx";
import { useScreen } from "./screen-context.tsx";
import { endAreaDrawing, useAreaDrawing, useReturnToDownload } from "./use-download.ts";
import { useMapKeys } from "./use-map-keys.ts";
import { useMapScene } from "./use-map-scene.ts";
import { useNavigation } from "./use-navigation.ts";
import { usePlanDrawing } from "./use-plan-map.ts";
import { useRoute } from "./use-route.ts";
import { ViewDescription } from "./view-description.tsx";

const WeatherMap = dynamic(loadMap, { ssr: false });
// Half of all scripts, and needed at once: they are loaded while the page hydrates.
if (typeof window !== "undefined") void loadMap();

// Only who compares two pictures needs them.
const loadCompare = () => import("./compare-view.tsx");
const CompareBar = dynamic(() => loadCompare().then((file) => file.CompareBar), { ssr: false });
const CompareDivider = dynamic(() => loadCompare().then((file) => file.CompareDivider), { ssr: false });

const loadPointsNotice = withWords(() => import("#components/tasks/points-notice.tsx"), "tasks");
const PointsNotice = dynamic(() => loadPointsNotice().then((file) => file.PointsNotice), { ssr: false });
const loadRouteDrawing = withWords(() => import("#components/passage/route-drawing.tsx"), "passage");
const RouteDrawing = dynamic(() => loadRouteDrawing().then((file) => file.RouteDrawing), { ssr: false });

const loadAreaDrawing = withWords(() => import("#components/download/area-drawing.tsx"), "download");
const AreaDrawing = dynamic(() => loadAreaDrawing().then((file) => file.AreaDrawing), { ssr: false });

/** The map with its notices and legends. */
export function MapRegion() {
  const { view, changeView, theme, zone } = useView();
  const words = useWords();
  const screen = useScreen();
  const { loading, lines, retry, startDeferred } = screen;
  const { entries } = useStorms();
  const { sample, openStorm, endDrawing } = useNavigation();
  const { route, shown, error } = useRoute(screen.deferredStarted);
  const scene = useMapScene(route);
  const drawing = usePlanDrawing();
  const area = useAreaDrawing();
  useReturnToDownload();
  const onKey = useMapKeys();
  // Said by the notice of the key, once for everything that is not read.
  const isRevoked = useIsKeyRevoked();
  const [broken, setBroken] = useState(false);
  const hover = useRef<(hovered: Hovered | undefined) => void>(undefined);
  const layer = paintedBy(view.l);
  const { drawn, drawnTime, drawnFixed, old, compare } = screen;
  const region = useRef<HTMLElement>(null);
  const sideAt = (x: number) =>
    compare && (x >= compare.divider.at * (region.current?.clientWidth ?? 0) ? "b" : "a");
  const otherLayer = compare?.drawn === drawn ? undefined : compare?.drawn;
  return (
    // The colour of the sea, until the map is there.
    <main ref={region} className="relative isolate min-h-0 bg-(--map-sea)" style={{ gridArea: "map" }}>
      <WeatherMap
        centre={view.c}
        zoom={view.z}
        scene={scene}
        controls={screen.map}
        onBroken={() => {
          setBroken(true);
          startDeferred();
        }}
        onFirstField={startDeferred}
        onMove={(c, z) => changeView({ c, z: Number(z.toFixed(2)) })}
        onView={screen.onView}
        onSample={(latitude, longitude, { x }) => {
          const place = { latitude, longitude };
          if (!area.click(place) && !drawing.click(place)) sample(place, { side: sideAt(x) });
        }}
        onPick={(picked, place) => {
          if (area.isDrawing) return void (place && area.click(place));
          if (!drawing.pick(picked, place)) openStorm(picked.id);
        }}
        isDrawing={() => drawing.isDrawing || area.isDrawing}
        onHover={(place, at) => {
          const side = at && sideAt(at.x);
          screen.hover.current?.(place, side);
          hover.current?.(place && at ? { place, at, side } : undefined);
        }}
        onKey={onKey}
      />
      <p id="map-keys" className="sr-only">
        {words.screen.keys.summary}
      </p>
      <div className="pointer-events-none absolute inset-x-0 top-0 z-3 flex flex-col items-stretch">
        <NoticeBar />
        {compare ? <CompareBar compare={compare} /> : null}
        <div className="flex flex-col items-center gap-2 px-3 pt-3">
          {broken ? <BrokenNotice /> : null}
          <MapNotice
            title={layerTitle(view.l, words)}
            loading={loading && !broken}
            error={isRevoked ? undefined : screen.error}
            empty={screen.empty}
            awaited={screen.awaited}
            outside={screen.outside}
            source={layer && firstSource(layer)}
            onRetry={retry}
          />
          <BeyondNotice beyond={screen.beyond} />
          {old && drawn ? (
            <OldFieldNotice
              title={layerTitle(drawn, words)}
              time={drawnFixed ? undefined : drawnTime}
              zone={zone}
            />
          ) : null}
          <LinesNotice lines={lines} onRetry={retry} />
          {shown || error ? (
            <PointsNotice shown={shown} error={error} onClose={() => changeView({ task: null })} />
          ) : null}
          {area.isDrawing ? <AreaDrawing onCancel={endAreaDrawing} /> : null}
          {drawing.isDrawing ? <RouteDrawing onDone={endDrawing} /> : null}
          {/* The hint says to click the map, which is not there. */}
          {broken ? null : <FirstRunHint />}
        </div>
      </div>
      {compare ? <CompareDivider compare={compare} /> : null}
      <HoverReadout
        sink={hover}
        pair={screen.pair}
        layer={drawn}
        units={view.u}
        other={compare && { pair: compare.pair, layer: compare.drawn }}
      />
      <DownloadButton />
      <ViewDescription loading={loading && !broken} />
      <div className="legends pointer-events-none absolute bottom-3 left-3 flex max-w-[calc(100%-4.5rem)] gap-1.5">
        <SymbolLegend
          layer={drawn ?? view.l}
          shown={view.o}
          theme={theme}
          storms={entries.length > 0}
          stormIcon={stormIcon}
          ship={scene.ship !== undefined}
          shipIcon={shipIcon}
        />
        {/* The scale of the colours that are drawn. */}
        {drawn ? (
          <Legend
            layer={drawn}
            side={otherLayer && "a"}
            theme={theme}
            old={old}
            units={view.u}
            onUnits={(u) => changeView({ u })}
          />
        ) : null}
        {compare && otherLayer ? (
          <Legend
            layer={otherLayer}
            side="b"
            theme={theme}
            old={compare.old}
            units={view.u}
            onUnits={(u) => changeView({ u })}
          />
        ) : null}
      </div>
    </main>
  );
}
