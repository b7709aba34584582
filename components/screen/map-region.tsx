import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApiKey, useIsKeyRevoked } from "#components/api-client/api-key.tsx";
import { Legend } from "#components/legend/legend.tsx";
import { SymbolLegend } from "#components/legend/symbol-legend.tsx";
import { type Hovered, HoverReadout } from "#components/map/hover-readout.tsx";
import type { Picked } from "#components/map/map-events.ts";
import {
  BeyondNotice,
  BrokenNotice,
  LinesNotice,
  MapNotice,
  OldFieldNotice,
} from "#components/map/map-notice.tsx";
import type { SceneRoute } from "#components/map/scene.ts";
import { shipIcon } from "#components/ship/ship-icons.ts";
import { stormIcon } from "#components/storms/storm-icons.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { taskPointsQuery } from "#components/tasks/task-points.ts";
import { TIDE_LAYERS } from "#components/tides/tide-scene.ts";
import { Countdown } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { nothing } from "#components/ui/nothing.ts";
import { deviceStorage } from "#components/view-state/device-setting.ts";
import { downloadArea, useDownloadArea } from "#components/view-state/download-area.ts";
import { namesPlace, openingPlace, placeOfDevice } from "#components/view-state/first-view.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { layerTitle } from "#components/view-state/overlays.ts";
import { isPlaceAwaited, takePlace, usePlacePick } from "#components/view-state/place-pick.ts";
import { measureTo, readPlanMarks, usePlanMarks } from "#components/view-state/plan.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { tileTitle, useTileOverlays } from "#components/view-state/tile-overlays.ts";
import { useInteracted } from "#components/view-state/use-browser.ts";
import {
  useChangeView,
  useShownTheme,
  useView,
  useViewState,
  useZone,
} from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { layerOf, paintedStatistic } from "#lib/catalog/painted.ts";
import type { StrongWind } from "#lib/contract/strong-wind.ts";
import { unitFor } from "#lib/units.ts";
import { staleNotice, useConnectionNotice } from "./connection-notice.tsx";
import { shownTab } from "./details-tab.ts";
import { KeyNotice } from "./key-status.tsx";
import { HowSure, StatisticChoices } from "./late-how-sure.ts";
import { DifferenceLegend, StatisticLegend } from "./late-legend.ts";
import { MapChip } from "./map-chip.tsx";
import { useScreen, useWeather } from "./screen-context.tsx";
import { areaDrawing, endAreaDrawing, useDownloadNavigation } from "./use-download.ts";
import { useMapKeys } from "./use-map-keys.ts";
import { useMapScene } from "./use-map-scene.ts";
import { useNavigation } from "./use-navigation.ts";
import { usePlanDrawing } from "./use-plan-map.ts";
import { ViewDescription } from "./view-description.tsx";

/** Time to the first byte above which the connection counts as slow, milliseconds. */
const SLOW_MS = 250;

/** Longest time by which the map is delayed, milliseconds. */
const MAX_WAIT_MS = 6000;

/**
 * Time after a failure when the map's scripts are requested again, unless the network returns earlier;
 * milliseconds.
 */
const RETRY_MS = 10_000;

let loading: ReturnType<typeof load> | undefined;

/**
 * Loads the code that draws the map, half of all scripts, once. Without a network it is repeated until there
 * is one.
 */
function loadMap() {
  loading ??= load();
  return loading;
}

async function load() {
  await firstNumberOverSlowLink();
  for (;;) {
    try {
      return (await import("./map-with-storms.tsx")).MapWithStorms;
    } catch {
      await networkOrRetry();
    }
  }
}

/**
 * On a slow connection, for a view with a sampled point, resolves after that point's numbers, which are 3 kB;
 * otherwise immediately.
 */
function firstNumberOverSlowLink(): Promise<void> {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const slow = page !== undefined && page.responseStart - page.requestStart > SLOW_MS;
  const samples = new URLSearchParams(window.location.search).has("p");
  if (!slow || !samples) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      observer.disconnect();
      resolve();
    };
    const timer = setTimeout(end, MAX_WAIT_MS);
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => new URL(name).pathname === "/MetOcean")) end();
    });
    observer.observe({ type: "resource", buffered: true });
  });
}

function networkOrRetry(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, RETRY_MS);
    window.addEventListener("online", end);
  });
}

const STORAGE_KEY = "metocean-hint";
const ZOOM = 3.5;

/**
 * Hint for the first session, until it is closed. A visit without a link starts on weather near the visitor, and
 * samples it.
 */
function FirstRunHint({ winds }: { winds: Promise<readonly StrongWind[]> }) {
  const { hint } = useWords().screen;
  const key = useApiKey();
  const changeView = useChangeView();
  const { map } = useScreen();
  const view = useView("tab", "storm", "tide", "plan");
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once, when the page opens
  useEffect(() => {
    // A link that brings a point has done what the hint asks for.
    const bringsPoint = new URLSearchParams(window.location.search).has("p");
    setOpen(deviceStorage.getItem(STORAGE_KEY) !== "seen" && !bringsPoint);
    let isAwaited = true;
    void winds.then((known) => {
      // The address names a place as soon as the visitor has chosen one.
      if (!isAwaited || namesPlace(window.location.search)) return;
      const place = openingPlace(placeOfDevice(), known);
      changeView({ c: place, z: ZOOM, p: place });
      map.current?.goTo(place, ZOOM);
    });
    return () => {
      isAwaited = false;
    };
  }, []);
  // It would cover what a storm, a station or a passage has on the map.
  const isOfPoint = shownTab(view) === "point";
  const isShown = open && isOfPoint && key !== undefined;
  // The hint is shown once, so that it need not be closed in each session.
  useEffect(() => {
    if (isShown) deviceStorage.setItem(STORAGE_KEY, "seen");
  }, [isShown]);
  const close = () => {
    setOpen(false);
    map.current?.focus();
  };
  return isShown ? (
    // Touch screens do not show it, because it mentions clicks and keys.
    <div className="notice flex items-center gap-2 max-md:hidden pointer-coarse:hidden">
      <p>{hint.text}</p>
      <button type="button" className="button plain" aria-label={hint.close} onClick={close}>
        <Icon name="close" className="size-4" />
      </button>
    </div>
  ) : null;
}

const WeatherMap = dynamic(loadMap, { ssr: false });
// These are half of all scripts and needed immediately, so they load while the page hydrates.
if (typeof window !== "undefined") void loadMap();

// Needed only to compare two pictures.
const loadCompare = withWords(() => import("./compare-view.tsx"), "difference");
// Needed only on request.
const Measuring = dynamic(() => import("./measuring.tsx").then((file) => file.Measuring, nothing), {
  ssr: false,
});
const PlacePicking = dynamic(() => import("./place-picking.tsx").then((file) => file.PlacePicking, nothing), {
  ssr: false,
});
const MapMenu = dynamic(() => import("./map-menu.tsx").then((file) => file.MapMenu, nothing), { ssr: false });

const CompareBar = dynamic(() => loadCompare().then((file) => file.CompareBar), { ssr: false });
const CompareDivider = dynamic(() => loadCompare().then((file) => file.CompareDivider), { ssr: false });

const loadPointsNotice = withWords(() => import("#components/tasks/points-notice.tsx"), "tasks");
const PointsNotice = dynamic(() => loadPointsNotice().then((file) => file.PointsNotice), { ssr: false });
const loadRouteDrawing = withWords(() => import("#components/passage/route-summary.tsx"), "passage");
const RouteDrawing = dynamic(() => loadRouteDrawing().then((file) => file.RouteDrawing), { ssr: false });

const loadAreaDrawing = withWords(() => import("#components/download/area-drawing.tsx"), "download");
const AreaDrawing = dynamic(() => loadAreaDrawing().then((file) => file.AreaDrawing), { ssr: false });

/** Receives what is under the pointer. */
type HoverSink = RefObject<((hovered: Hovered | undefined) => void) | undefined>;

/** The map with its notices and legends. */
export function MapRegion({ winds }: { winds: Promise<readonly StrongWind[]> }) {
  const { keys } = useWords().screen;
  const { startDeferred } = useScreen();
  const { deferredStarted } = useWeather("deferredStarted");
  const route = useRoute(deferredStarted);
  const [broken, setBroken] = useState(false);
  const [hasSampled, setHasSampled] = useState(false);
  const hover: HoverSink = useRef(undefined);
  const region = useRef<HTMLElement>(null);
  useDownloadNavigation();
  return (
    // The background is the colour of the sea until the map is ready.
    <main ref={region} className="relative isolate min-h-0 bg-(--map-sea)" style={{ gridArea: "map" }}>
      <Canvas
        route={route.route}
        region={region}
        hover={hover}
        onBroken={() => {
          setBroken(true);
          startDeferred();
        }}
        onSampled={() => setHasSampled(true)}
      />
      <p id="map-keys" className="sr-only">
        {keys.summary}
      </p>
      <div className="pointer-events-none absolute inset-x-0 top-0 z-3 flex flex-col items-stretch">
        <NoticeBar />
        <MapChip />
        <ComparedBar />
        <div className="flex flex-col items-center gap-2 px-3 pt-3">
          {broken ? <BrokenNotice /> : null}
          <FieldNotices broken={broken} />
          <SilentTiles />
          <TaskPoints shown={route.shown} error={route.error} />
          <MapModes />
          {/* The hint would ask for a click on a map that is not there, or for one that has been done. */}
          {broken || hasSampled ? null : <FirstRunHint winds={winds} />}
        </div>
      </div>
      <ComparedDivider />
      <Readout sink={hover} />
      <OpenMenu />
      <ViewDescription broken={broken} />
      <Legends />
    </main>
  );
}

interface CanvasProps {
  route: SceneRoute | undefined;
  region: RefObject<HTMLElement | null>;
  hover: HoverSink;
  onBroken(): void;
  /** The user has chosen a place. */
  onSampled(): void;
}

/** The map itself, with what clicks and keys on it do. */
function Canvas({ route, region, hover, onBroken, onSampled }: CanvasProps) {
  const view = useViewState();
  const changeView = useChangeView();
  const { map, overlays, startDeferred, weather } = useScreen();
  const { onView } = useWeather("onView");
  const { sample, openStorm, openTide } = useNavigation();
  const scene = useMapScene(route);
  const drawing = usePlanDrawing();
  const onKey = useMapKeys();
  const sideAt = (x: number) => {
    const { compare } = weather.current();
    // A difference has no sides.
    if (!compare || compare.wanted.difference) return undefined;
    return x >= compare.divider.at * (region.current?.clientWidth ?? 0) ? "b" : "a";
  };
  return (
    <WeatherMap
      camera={() => {
        const { c: centre, z: zoom } = view.current();
        return { centre, zoom };
      }}
      scene={scene}
      controls={map}
      onBroken={onBroken}
      onFirstField={startDeferred}
      onMove={(c, z) => changeView({ c, z: Number(z.toFixed(2)) })}
      onView={onView}
      onSample={(latitude, longitude, { x }) => {
        const place = { latitude, longitude };
        if (takePlace(place) || measureTo(place, true) || areaDrawing.click(place) || drawing.click(place))
          return;
        onSampled();
        // An earlier run has no numbers in the panel.
        const isEarlier = weather.current().compare?.wanted.earlier !== undefined;
        sample(place, { side: isEarlier ? "a" : sideAt(x) });
      }}
      onMenu={(place, { x, y }) => overlays.change({ menu: { place, x, y } })}
      onPick={(picked, place) => {
        if (place && (takePlace(place) || measureTo(place, true))) return;
        if (downloadArea().isDrawing) return void (place && areaDrawing.click(place));
        if (drawing.pick(picked, place)) return;
        if (isTide(picked)) openTide(picked.id);
        else openStorm(picked.id);
      }}
      isDrawing={() => {
        const { isDrawing, measure } = readPlanMarks();
        return isDrawing || downloadArea().isDrawing || isPlaceAwaited() || measure !== undefined;
      }}
      onHover={(place, at) => {
        if (place) measureTo(place, false);
        const side = at && sideAt(at.x);
        hover.current?.(place && at ? { place, at, side } : undefined);
      }}
      onKey={onKey}
      onTiles={(id, answers) => {
        const { silent } = overlays.current();
        if (silent.includes(id) === !answers) return;
        overlays.change({ silent: answers ? silent.filter((one) => one !== id) : [...silent, id] });
      }}
    />
  );
}

/** Names the services whose tiles are missing, because an empty picture would look like fair weather. */
function SilentTiles() {
  const offered = useTileOverlays();
  const { overlays } = useScreen();
  const { silent } = overlays.use("silent");
  const { map, ui, language } = useWords();
  const titles = offered
    .filter(({ id }) => silent.includes(id))
    .map((overlay) => tileTitle(overlay, language));
  return titles.length === 0 ? null : (
    <p role="status" className="notice">
      {map.silent({ titles: titles.join(ui.joins.list) })}
    </p>
  );
}

/** Notices about the parts of the layer that cannot be shown or are old. */
function FieldNotices({ broken }: { broken: boolean }) {
  const view = useView("l", "model");
  const changeView = useChangeView();
  const zone = useZone();
  const words = useWords();
  const { loading, error, empty, awaited, outside, retry, beyond, ...field } = useWeather(
    "loading",
    "error",
    "empty",
    "awaited",
    "outside",
    "retry",
    "beyond",
    "old",
    "drawn",
    "drawnFixed",
    "drawnTime",
    "lines",
  );
  const { old, drawn, drawnFixed, drawnTime, lines } = field;
  // The key's notice reports it once for everything that could not be read.
  const isRevoked = useIsKeyRevoked();
  return (
    <>
      <MapNotice
        title={layerTitle(view.l, words)}
        loading={loading && !broken}
        error={isRevoked ? undefined : error}
        empty={empty}
        awaited={awaited}
        outside={outside}
        model={view.model}
        onRetry={retry}
        onBest={() => changeView({ model: null })}
      />
      <BeyondNotice beyond={beyond} />
      {old && drawn ? (
        <OldFieldNotice
          title={layerTitle(drawn, words)}
          time={drawnFixed ? undefined : drawnTime}
          zone={zone}
        />
      ) : null}
      <LinesNotice lines={lines} onRetry={retry} />
    </>
  );
}

/** How many points of the link's task are on the map, or why there are none. */
function TaskPoints({ shown, error }: Omit<ReturnType<typeof useRoute>, "route">) {
  const changeView = useChangeView();
  return shown || error ? (
    <PointsNotice shown={shown} error={error} onClose={() => changeView({ task: null })} />
  ) : null;
}

/** Instructions while clicks on the map do something else than sample a place. */
function MapModes() {
  const { endDrawing } = useNavigation();
  const { isDrawing, measure } = usePlanMarks("isDrawing", "measure");
  const area = useDownloadArea("isDrawing");
  const isPicking = usePlacePick() !== undefined;
  return (
    <>
      {isPicking ? <PlacePicking /> : null}
      {measure ? <Measuring /> : null}
      {area.isDrawing ? <AreaDrawing onCancel={endAreaDrawing} /> : null}
      {isDrawing ? <RouteDrawing onDone={endDrawing} /> : null}
    </>
  );
}

function ComparedBar() {
  const { compare } = useWeather("compare");
  return compare ? <CompareBar compare={compare} /> : null;
}

function ComparedDivider() {
  const { compare } = useWeather("compare");
  return compare && !compare.wanted.difference ? <CompareDivider compare={compare} /> : null;
}

/** Position and value under the pointer. */
function Readout({ sink }: { sink: HoverSink }) {
  const view = useView("u");
  const zone = useZone();
  const field = useWeather("pair", "drawn", "old", "drawnTime", "members", "compare");
  const { pair, drawn, compare } = field;
  const difference = compare?.difference;
  const readingOf = ({ old, drawnTime }: Pick<typeof field, "old" | "drawnTime">) =>
    old && drawnTime !== undefined ? formatShortTime(drawnTime, zone) : undefined;
  return (
    <HoverReadout
      sink={sink}
      pair={difference?.pair ?? pair}
      base={difference?.base}
      layer={difference?.variable ?? drawn}
      members={field.members}
      units={view.u}
      oldTime={difference ? undefined : readingOf(field)}
      other={compare && { pair: compare.pair, layer: compare.drawn, oldTime: readingOf(compare) }}
    />
  );
}

/** The map's menu. Once opened it stays mounted, because its dialogs outlive it. */
function OpenMenu() {
  const { overlays } = useScreen();
  const { menu } = overlays.use("menu");
  const wasOpened = useRef(false);
  if (menu) wasOpened.current = true;
  return wasOpened.current ? (
    <MapMenu at={menu} onClose={() => overlays.change({ menu: undefined })} />
  ) : null;
}

/** Legends of the drawn layers and of the symbols. */
function Legends() {
  const view = useView("l", "o", "u");
  const changeView = useChangeView();
  const theme = useShownTheme();
  const words = useWords();
  const { drawn, old, compare, stations, members } = useWeather(
    "drawn",
    "old",
    "compare",
    "stations",
    "members",
  );
  const { filmPlaying } = useScreen().playback.use("filmPlaying");
  const { entries } = useStorms("entries");
  const { ship } = useShip();
  const difference = compare?.difference;
  const interacted = useInteracted();
  const isStatistic = drawn !== undefined && paintedStatistic(drawn) !== undefined;
  const isTwo = compare !== undefined && !compare.wanted.difference && compare.drawn !== drawn;
  const otherLayer = isTwo ? compare.drawn : undefined;
  const symbols = (
    <SymbolLegend
      layer={drawn ?? view.l}
      shown={view.o}
      theme={theme}
      storms={entries.length > 0}
      stormIcon={stormIcon}
      ship={ship !== undefined && !filmPlaying}
      shipIcon={shipIcon}
      tideUnit={stations && unitFor("m", view.u, undefined, words).symbol}
    />
  );
  return (
    <div className="legends">
      {/* A narrow bar has no space for it. It is not part of the first view. */}
      {interacted || isStatistic ? <HowSure className="min-[75rem]:hidden" /> : null}
      {/* The legend belongs to the colours that are drawn. */}
      {difference ? (
        <DifferenceLegend layer={difference.variable} theme={theme} units={view.u}>
          {symbols}
        </DifferenceLegend>
      ) : drawn && isStatistic ? (
        <StatisticLegend
          layer={drawn}
          theme={theme}
          old={old}
          units={view.u}
          members={members}
          choices={<StatisticChoices />}
        >
          {symbols}
        </StatisticLegend>
      ) : drawn ? (
        <Legend
          layer={layerOf(drawn)}
          side={otherLayer && "a"}
          theme={theme}
          old={old}
          units={view.u}
          onUnits={(u) => changeView({ u })}
        >
          {symbols}
        </Legend>
      ) : (
        <Menu label={words.legend.symbols} button={<span className="px-2">?</span>}>
          {symbols}
        </Menu>
      )}
      {compare && otherLayer ? (
        <Legend
          layer={layerOf(otherLayer)}
          side="b"
          theme={theme}
          old={compare.old}
          units={view.u}
          onUnits={(u) => changeView({ u })}
        />
      ) : null}
    </div>
  );
}

const isTide = ({ layer }: Picked) => TIDE_LAYERS.some((one) => one === layer);

/**
 * The points of the task in the link, and how they are drawn. @param enabled They may be requested, which is
 * after the first field.
 */
function useRoute(enabled: boolean) {
  const key = useApiKey();
  const view = useView("task");
  const { data, error } = useQuery({
    ...taskPointsQuery(key ?? "", view.task ?? ""),
    enabled: enabled && key !== undefined && view.task !== null,
  });
  // A link without a zoom shows all points; one with a zoom shows what its sender saw.
  const [fit] = useState(() => typeof window !== "undefined" && !/[?&]z=/.test(window.location.search));
  const shown = view.task === null ? undefined : data;
  const route = useMemo<SceneRoute | undefined>(
    () =>
      shown && shown.points.length > 0 ? { points: shown.points, isRoute: shown.isRoute, fit } : undefined,
    [shown, fit],
  );
  return { route, shown, error: view.task === null ? null : error };
}

/** Warnings about everything displayed: that of the key, and those of `MapWarnings`. */
function NoticeBar() {
  const zone = useZone();
  const connection = useConnectionNotice(zone);
  const { synthetic, limitedUntil, steps, now } = useWeather("synthetic", "limitedUntil", "steps", "now");
  const stale = synthetic ? undefined : staleNotice(steps?.run, now, steps?.time, zone.words);
  return (
    <>
      <KeyNotice />
      <MapWarnings
        limit={limitedUntil === undefined ? undefined : <LimitNotice until={limitedUntil} />}
        connection={connection}
        stale={stale}
      />
    </>
  );
}

interface Warnings {
  limit: ReactNode;
  connection: ReactNode;
  stale: ReturnType<typeof staleNotice>;
}

/** Shows only the most urgent warning, except that a forecast that is too old is always reported. */
export function MapWarnings({ limit, connection, stale }: Warnings) {
  const other = limit ?? connection;
  return (
    <>
      {stale && (stale.grave || !other) ? (
        <div role="status" className={`notice-bar ${stale.grave ? "grave" : ""}`}>
          {stale.text}
        </div>
      ) : null}
      {other}
    </>
  );
}

/** @param until When the next request may be sent, ms since 1970. */
function LimitNotice({ until }: { until: number }) {
  const { faults } = useWords().access;
  return (
    <div role="status" className="notice-bar flex justify-center gap-1">
      <p>{faults.limited}</p>
      <Countdown seconds={Math.max(1, Math.ceil((until - Date.now()) / 1000))} />
    </div>
  );
}
