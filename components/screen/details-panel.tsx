import type { ViewBox } from "@open-metocean/geo/box";
import { reckoned } from "@open-metocean/geo/rhumb";
import { distanceKm } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import { forecastMarks, NEAR_KM, rangeNow } from "@open-metocean/storms/track";
import dynamic from "next/dynamic";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { loadSchemas } from "#components/api-client/parse-reply.ts";
import { nearText, usePlaces } from "#components/fields/place-suggestions.ts";
import { landAround } from "#components/map/land/land-tiles.ts";
import { PointPanel, PointPeek } from "#components/point/point-panel.tsx";
import { ShipHere, ShipLive, ShipPeek } from "#components/ship/ship-live.tsx";
import { useStorms } from "#components/storms/storms-context.tsx";
import { nothing } from "#components/ui/nothing.ts";
import { Panel, type PanelStop, type PanelTab } from "#components/ui/panel.tsx";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { showDownloadArea } from "#components/view-state/download-area.ts";
import { keepShip, useShip } from "#components/view-state/ship-store.ts";
import { useInteracted, useMediaQuery } from "#components/view-state/use-browser.ts";
import { useChangeView, useShownTheme, useView } from "#components/view-state/view-context.tsx";
import { parsePlace } from "#components/view-state/view-text.ts";
import type { DetailsTab, Place, View } from "#components/view-state/view-url.ts";
import { NewWatch, WatchButton } from "#components/watches/watch-button.tsx";
import type { ChosenStation } from "#components/watches/watch-draft.ts";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { WorkabilityAt } from "#components/workability/workability-at.tsx";
import { HOUR_S } from "#lib/time.ts";
import { coveredByPanel, overMap, sheetRests } from "./covered.ts";
import { ForecastPressure } from "./forecast-pressure.tsx";
import { SampledClockProvider } from "./sampled-clock-provider.tsx";
import { useScreen, useTab, useWeather } from "./screen-context.tsx";
import { useDownloadPanel } from "./use-download.ts";
import { useLinkedSight } from "./use-linked-sight.ts";
import { useMapKeys } from "./use-map-keys.ts";
import { RISE_MS, useNavigation } from "./use-navigation.ts";
import { usePanelFocus } from "./use-panel-focus.ts";

/** Longest wait before printing; if data cannot be read, the map is printed as it is. */
const MAX_WAIT_MS = 3000;

/**
 * Prints map and panel in day colours, for which the map is redrawn first; undefined in the meantime. The keys of the
 * browser for printing do the same.
 */
function usePrint(): (() => void) | undefined {
  const { map } = useScreen();
  const view = useView("th");
  const changeView = useChangeView();
  const theme = useShownTheme();
  const [former, setFormer] = useState<{ th: View["th"] }>();
  useEffect(() => {
    if (!former || theme !== "light") return;
    let isLeft = false;
    const print = async () => {
      await Promise.race([map.current?.drawn(), new Promise((done) => setTimeout(done, MAX_WAIT_MS))]);
      if (isLeft) return;
      // In some browsers `print` returns before the dialog is closed.
      if (former.th !== "light")
        window.addEventListener("afterprint", () => changeView({ th: former.th }), { once: true });
      window.print();
      setFormer(undefined);
    };
    void print();
    return () => {
      isLeft = true;
    };
  }, [former, theme, map, changeView]);
  const print = () => {
    setFormer({ th: view.th });
    if (theme !== "light") changeView({ th: "light" });
  };
  const onPrintKeys = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== "p" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (!former) print();
  });
  // By day the browser's own printing shows the same.
  const isDark = theme !== undefined && theme !== "light";
  useEffect(() => {
    if (!isDark) return;
    const listener = (event: globalThis.KeyboardEvent) => onPrintKeys(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [isDark]);
  return former ? undefined : print;
}

/** Dialog over the conditions, opened from their menu, which closes first. */
interface PointDialog {
  kind: "watch" | "windows";
  place: Place;
  /** Station of the watched tide. */
  station?: ChosenStation;
}

// The map loads first; code for storms only loads after it.
const loadStormPanel = withWords(() => import("#components/storms/storm-panel.tsx"), "verdict", "stormCard");
const loadStormPeek = withWords(() => import("#components/storms/storm-peek.tsx"), "verdict");
const StormPeek = dynamic(() => loadStormPeek().then((file) => file.StormPeek, nothing), { ssr: false });
const StormPanel = dynamic(() => loadStormPanel().then((file) => file.StormPanel), { ssr: false });

const StormDanger = dynamic(() => loadStormPeek().then((file) => file.StormDanger, nothing), { ssr: false });
const NearStorms = dynamic(() => loadStormPeek().then((file) => file.NearStorms, nothing), { ssr: false });

const loadShipPanel = () => import("#components/ship/ship-panel.tsx");
const loadShipLayer = () => import("#components/ship/ship-map-layer.ts");
const ShipPanel = dynamic(() => loadShipPanel().then((file) => file.ShipPanel), { ssr: false });

const loadPassagePanel = withWords(
  () => import("#components/passage/passage-outlook.tsx"),
  "passage",
  "lists",
);
const loadRoutePeek = withWords(() => import("#components/passage/route-summary.tsx"), "passage");
const PassagePanel = dynamic(() => loadPassagePanel().then((file) => file.PassagePanel), { ssr: false });

const RoutePeek = dynamic(() => loadRoutePeek().then((file) => file.RoutePeek), { ssr: false });

const loadDownloadPanel = withWords(
  () => import("#components/download/download-panel.tsx"),
  "download",
  "area",
);
const DownloadPanel = dynamic(() => loadDownloadPanel().then((file) => file.DownloadPanel), { ssr: false });

const loadTidePanel = withWords(() => import("#components/tides/tide-panel.tsx"), "tides");
const TidePanel = dynamic(() => loadTidePanel().then((file) => file.TidePanel), { ssr: false });
const TidePeek = dynamic(() => loadTidePanel().then((file) => file.TidePeek), { ssr: false });

const loadTideRow = withWords(() => import("#components/tides/tide-row.tsx"), "tides");
const TideRow = dynamic(() => loadTideRow().then((file) => file.TideRow, nothing), { ssr: false });

/** Whether a storm, or its forecast, is near enough to a place to concern it. */
function isNearStorm(entries: readonly StormEntry[], place: Place, now: number): boolean {
  return entries.some(
    (entry) =>
      (rangeNow(entry, place, now)?.km ?? Number.POSITIVE_INFINITY) < NEAR_KM ||
      forecastMarks(entry).some((mark) => distanceKm(mark, place) < NEAR_KM),
  );
}

/** The panel beside the map: conditions of the sampled point, storms, and the ship. */
export function DetailsPanel() {
  const { screen: words, ship: shipWords, storms: stormWords } = useWords();
  const { panel, map } = useScreen();
  const { open, stop, asked } = panel.use("open", "stop", "asked");
  const { deferredStarted } = useWeather("deferredStarted");
  const { now } = useClock("now");
  const tab = useTab();
  const view = useView("p", "storm", "tide", "sp");
  const { entries, film } = useStorms("entries", "film");
  const [dangers, setDangers] = useState(0);
  // The code that computes dangers is not loaded for a point without a storm nearby.
  const isPointNear = useMemo(
    () => view.p !== null && isNearStorm(entries, view.p, now),
    [view.p, entries, now],
  );
  // A raised sheet would cover the controls of a film, so it is lowered; its previous height returns when the
  // film ends.
  const [filmStop, setFilmStop] = useState<PanelStop>("low");
  const { openStorm, closeStorm, closeTide, showPlace, showWhole, openTab, showTab, ...ways } =
    useNavigation();
  const { centreOn, sample, revealShip, setTab, showRoute, startDrawing } = ways;
  usePlanLink();
  const showLinkedStation = useLinkedSight();
  const { ship } = useShip();
  const body = useRef<HTMLDivElement>(null);
  const onMapKey = useMapKeys();
  const focusMap = useCallback(() => map.current?.focus(), [map]);
  const storm = tab === "storms" ? view.storm : null;
  const tide = tab === "tide" ? view.tide : null;
  const returnToOpener = usePanelFocus({ body, storm, tide, hasPoint: view.p !== null, asked, focusMap });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") {
      if (storm === null && tide === null) return focusMap();
      returnToOpener();
      if (tide === null) closeStorm();
      else closeTide();
    }
    // After this key on the map, the focus is on the panel's heading.
    else if (event.key === "n" && (event.target as Element).matches("[data-opened]"))
      onMapKey(event.nativeEvent);
  };
  useUncoveredPoint(body, (film ? filmStop : stop) !== "low");
  const print = usePrint();
  const [dialog, setDialog] = useState<PointDialog>();
  const showBox = useCallback((box: ViewBox) => map.current?.fit(box, 9, 0, coveredByPanel()), [map]);
  const closeDialog = useCallback(() => setDialog(undefined), []);
  const tabs: (PanelTab & { id: DetailsTab })[] = [
    {
      id: "point",
      title: words.panel.point,
      peek: (
        <SampledClockProvider>
          <PointPeek />
        </SampledClockProvider>
      ),
      body: (
        <SampledClockProvider>
          <PointBody onDialog={setDialog} print={print} />
        </SampledClockProvider>
      ),
    },
    {
      id: "storms",
      // Beside the danger badge there is not enough space for the number of storms in every language.
      title: words.pages.storms({ count: dangers > 0 ? 0 : entries.length }),
      badge: dangers > 0 ? stormWords.dangers({ count: dangers }) : undefined,
      peek: <StormPeek />,
      body: (
        <StormPanel
          actions={<StormWatch />}
          onOpen={openStorm}
          onBack={closeStorm}
          onShip={() => showTab("ship")}
          onShowPlace={showPlace}
          onShowWhole={(entry) => {
            setFilmStop("low");
            showWhole(entry);
          }}
        />
      ),
    },
    {
      id: "passage",
      title: words.panel.passage,
      peek: <RoutePeek />,
      body: (
        <PassagePanel
          onCentre={centreOn}
          onShow={showRoute}
          onDraw={startDrawing}
          actions={(label, route) => (
            <>
              <WatchButton label={label} about={{ place: route.route[0], route, provider: view.sp }} />
              {/* The printed map shows the whole route, even if the map was moved. */}
              <button
                type="button"
                className="button px-3"
                disabled={!print}
                onClick={() => {
                  showRoute(route.route);
                  print?.();
                }}
              >
                {words.panel.print}
              </button>
            </>
          )}
        />
      ),
    },
    {
      id: "ship",
      title: shipWords.title,
      transient: "ship",
      peek: <ShipPeek />,
      body: (
        <ShipPanel
          verdict={<NearStorms onOpen={openStorm} />}
          onBack={() => openTab("storms")}
          onCentre={centreOn}
          onTry={revealShip}
          onSample={sample}
        />
      ),
    },
    {
      id: "download",
      title: words.panel.download,
      transient: "save",
      peek: <p className="text-muted text-sm">{words.view.download}</p>,
      body: <DownloadBody />,
    },
    ...(view.tide === null
      ? []
      : [
          {
            id: "tide" as const,
            title: words.panel.tide,
            peek: <TidePeek />,
            body: (
              <TidePanel
                onClose={closeTide}
                onCentre={centreOn}
                onRead={showLinkedStation}
                onWatch={({ station, datum }) =>
                  setDialog({
                    kind: "watch",
                    place: station,
                    station: { id: station.id, name: station.name, datum },
                  })
                }
                print={print}
                withPressure={(place, show) => <ForecastPressure place={place} show={show} />}
              />
            ),
          },
        ]),
  ];
  return (
    <>
      <ShipLive />
      <Preloading />
      <OldAreas />
      {dialog?.kind === "watch" ? (
        <NewWatch
          about={{ place: dialog.place, station: dialog.station, provider: view.sp }}
          onClose={closeDialog}
        />
      ) : dialog ? (
        <WorkabilityAt place={dialog.place} onClose={closeDialog} onShow={showBox} />
      ) : null}
      {deferredStarted && (ship || isPointNear) ? <StormDanger onCount={setDangers} /> : null}
      <Panel
        tabs={tabs}
        current={tab}
        onTab={(id) => setTab(id as DetailsTab)}
        open={open}
        onOpen={(open) => panel.change({ open })}
        stop={film ? filmStop : stop}
        onStop={film ? setFilmStop : (stop) => panel.change({ stop })}
        body={body}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

interface PointBodyProps {
  onDialog(dialog: PointDialog): void;
  /** Prints map and panel; undefined while they are being printed. */
  print: (() => void) | undefined;
}

/** The conditions of the sampled point, with the menu of what can be done there. */
function PointBody({ onDialog, print }: PointBodyProps) {
  const { screen, ship, point: pointWords } = useWords();
  const { panel: words } = screen;
  const { verbs } = pointWords;
  const { p: point } = useView("p");
  const { isTimeAwaited } = useWeather("isTimeAwaited");
  const { find, openTide } = useNavigation();
  const interacted = useInteracted();
  const near = useNearPlace(point, interacted);
  const actionsAt = (place: Place) =>
    [
      {
        icon: "bell",
        word: verbs.watch,
        name: words.watch,
        onPress: () => onDialog({ kind: "watch", place }),
      },
      {
        icon: "clock",
        word: verbs.windows,
        name: words.windows,
        onPress: () => onDialog({ kind: "windows", place }),
      },
      {
        icon: "save",
        word: verbs.series,
        name: words.series,
        onPress: () => showDownloadArea({ wantsSeries: "point" }),
      },
    ] as const;
  const panelAt = (centre?: Place) => (
    <PointPanel
      waiting={isTimeAwaited}
      centre={centre}
      loadLand={landAround}
      near={near}
      // The tide is loaded only after the first interaction, which saves bytes in the first view and
      // memory in the service.
      tide={interacted ? (shown) => <TideRow {...shown} onOpen={openTide} /> : undefined}
      onPlace={({ name, ...place }) => find({ place, name })}
      print={print}
      verbs={point ? actionsAt(point) : []}
      actions={(close) => (
        <>
          <ShipHere
            label={ship.putHere}
            onKeep={(fix) => {
              keepShip(fix);
              close();
            }}
          />
          <button
            type="button"
            className="button px-3"
            disabled={!print}
            onClick={() => {
              close();
              print?.();
            }}
          >
            {words.print}
          </button>
        </>
      )}
    />
  );
  return point ? panelAt() : <AtCentre>{panelAt}</AtCentre>;
}

/** How long the map must stand still before the coming days at its centre are requested, ms. */
const STILL_MS = 1000;

/** Passes on the centre of the map once it stands still, if the connection is fast enough for its days. */
function AtCentre({ children }: { children: (centre?: Place) => ReactNode }) {
  const { c } = useView("c");
  const { deferredStarted } = useWeather("deferredStarted");
  const isFull = useDataUse() === "full";
  const text = useSteady(`${c.latitude.toFixed(2)},${c.longitude.toFixed(2)}`, STILL_MS);
  const centre = useMemo(() => parsePlace(text) ?? undefined, [text]);
  return children(deferredStarted && isFull ? centre : undefined);
}

/** A button that watches the storms at the ship, or else at the point or the centre of the map. */
function StormWatch() {
  const { panel: words } = useWords().screen;
  const view = useView("p", "c", "sp");
  const { now } = useClock("now");
  const { ship } = useShip();
  return (
    <WatchButton
      label={ship ? words.watchStormsAtShip : words.watchStorms}
      about={{ place: ship ? reckoned(ship, now) : (view.p ?? view.c), kind: "storm", provider: view.sp }}
    />
  );
}

function DownloadBody() {
  return <DownloadPanel {...useDownloadPanel()} />;
}

/**
 * Loads the code of the storms and the ship once the map is drawn and in use, because they must stay usable when
 * the connection is lost at sea.
 */
function Preloading() {
  const { settled } = useWeather("settled");
  const interacted = useInteracted();
  useEffect(() => {
    if (!settled || !interacted) return;
    // A part that fails to load now is requested again when it is shown.
    for (const load of [loadStormPanel, loadStormPeek, loadSchemas, loadShipPanel, loadShipLayer])
      load().catch(() => undefined);
  }, [settled, interacted]);
  return null;
}

/** Deletes saved areas that have become old, once the page is in use. */
function OldAreas() {
  const key = useApiKey();
  const { now } = useClock("now");
  const interacted = useInteracted();
  const hour = Math.floor(now / HOUR_S);
  useEffect(() => {
    if (!interacted || key === undefined || hour === 0) return;
    // A deletion that fails is repeated an hour later.
    import("#components/api-client/save-area.ts")
      .then(({ removeOldAreas }) => removeOldAreas(key, hour * HOUR_S))
      .catch(() => undefined);
  }, [interacted, key, hour]);
  return null;
}

/** Keeps the sampled point visible beside the sheet when the sheet rises, another point is sampled, or a phone is turned. */
function useUncoveredPoint(body: RefObject<HTMLElement | null>, isRaised: boolean): void {
  const { map } = useScreen();
  const isUpright = useMediaQuery("(orientation: portrait)");
  const { p } = useView("p");
  const [latitude, longitude] = [p?.latitude, p?.longitude];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet of a phone that is turned comes from another side
  useEffect(() => {
    if (!isRaised || latitude === undefined || longitude === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const sheet = body.current?.parentElement;
      // Beside the map the panel covers nothing and has no stops.
      if (!sheet?.querySelector(".panel-stop")?.checkVisibility()) return;
      await sheetRests();
      const over = overMap();
      if (over && isCurrent) map.current?.uncover({ latitude, longitude }, over);
    }, RISE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [body, map, isRaised, isUpright, latitude, longitude]);
}

/**
 * Location of the sampled point relative to the nearest named place, once the user has interacted with the
 * page and if the connection is fast enough for the list of places.
 */
function useNearPlace(point: Place | null, interacted: boolean): string | undefined {
  const words = useWords();
  const isFull = useDataUse() === "full";
  const { data: places } = usePlaces(point !== null && interacted && isFull);
  return useMemo(
    () => (point && places ? nearText(places, point, words) : undefined),
    [places, point, words],
  );
}

/** Opens the plan of a link, and removes it from the address, so that later links do not contain it. */
function usePlanLink(): void {
  const { plan: text } = useView("plan");
  const changeView = useChangeView();
  const { panel } = useScreen();
  const { showRoute } = useNavigation();
  // A link with a zoom shows what its sender saw. Later the page writes its own zoom.
  const [isPlaced] = useState(() => typeof window !== "undefined" && /[?&]z=/.test(window.location.search));
  const open = useEffectEvent(
    (openLinkedPlan: typeof import("#components/passage/route-link.ts").openLinkedPlan) => {
      if (text === null) return;
      const route = openLinkedPlan(text);
      changeView({ plan: null, tab: "passage" });
      panel.change({ open: true, stop: "half" });
      if (route && !isPlaced) showRoute(route);
    },
  );
  useEffect(() => {
    // The code that reads a plan is loaded with the first one.
    if (text !== null)
      void import("#components/passage/route-link.ts").then((file) => open(file.openLinkedPlan));
  }, [text]);
}
