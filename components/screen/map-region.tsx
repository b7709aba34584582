import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { useIsKeyRevoked } from "#components/api-client/api-key.tsx";
import { Legend } from "#components/legend/legend.tsx";
import { SymbolLegend } from "#components/legend/symbol-legend.tsx";
import { type Hovered, HoverReadout } from "#components/map/hover-readout.tsx";
import { loadMapLibrary } from "#components/map/library/map-library.ts";
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
import { PointsNotice } from "#components/tasks/points-notice.tsx";
import { firstSource, layerTitle, paintedBy } from "#components/view-state/layers.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { FirstRunHint } from "./first-run-hint.tsx";
import { mapMayStart } from "./map-start.ts";
import { NoticeBar } from "./notice-bar.tsx";
import { useScreen } from "./screen-context.tsx";
import { useMapKeys } from "./use-map-keys.ts";
import { useMapScene } from "./use-map-scene.ts";
import { useNavigation } from "./use-navigation.ts";
import { useRoute } from "./use-route.ts";
import { ViewDescription } from "./view-description.tsx";
import { ViewTask } from "./view-task.tsx";

// Only who compares two pictures needs them.
const loadCompare = () => import("./compare-view.tsx");
const CompareBar = dynamic(() => loadCompare().then((file) => file.CompareBar), { ssr: false });
const CompareDivider = dynamic(() => loadCompare().then((file) => file.CompareDivider), { ssr: false });

const loadMap = () =>
  mapMayStart().then(() => Promise.all([import("./map-with-storms.tsx"), loadMapLibrary()]));
const WeatherMap = dynamic(() => loadMap().then(([file]) => file.MapWithStorms), { ssr: false });
// Needed at once, and not small: it is loaded while the page hydrates, and again if that fails.
if (typeof window !== "undefined") loadMap().catch(() => undefined);

/** The map with its notices and legends. */
export function MapRegion() {
  const { view, changeView, theme, zone } = useView();
  const words = useWords();
  const screen = useScreen();
  const { loading, lines, retry, startDeferred } = screen;
  const { entries } = useStorms();
  const { sample, openStorm } = useNavigation();
  const { route, shown, error } = useRoute(screen.deferredStarted);
  const scene = useMapScene(route);
  const onKey = useMapKeys();
  // Said by the notice of the key, once for everything that is not read.
  const isRevoked = useIsKeyRevoked();
  const [broken, setBroken] = useState(false);
  const hover = useRef<(hovered: Hovered | undefined) => void>(undefined);
  const layer = paintedBy(view.l);
  const { drawn, drawnTime, drawnFixed, old, compare } = screen;
  const region = useRef<HTMLElement>(null);
  const sideAt = (x: number) =>
    compare && x >= compare.divider.at * (region.current?.clientWidth ?? 0) ? "b" : "a";
  const otherLayer = compare?.drawn === drawn ? undefined : compare?.drawn;
  return (
    <main ref={region} className="relative isolate min-h-0" style={{ gridArea: "map" }}>
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
        onSample={(latitude, longitude) => sample({ latitude, longitude })}
        onPick={openStorm}
        onHover={(place, at) => {
          const side = compare && at ? sideAt(at.x) : undefined;
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
          <PointsNotice shown={shown} error={error} onClose={() => changeView({ task: null })} />
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
      <ViewTask />
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
