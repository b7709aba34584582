"use client";

import dynamic from "next/dynamic";
import { useEffect, useMemo, useRef, useState } from "react";
import { loadReplies } from "#components/api-client/load-replies.ts";
import { Legend } from "#components/legend/legend.tsx";
import { SymbolLegend } from "#components/legend/symbol-legend.tsx";
import { LinesNotice, MapNotice } from "#components/map/map-notice.tsx";
import type { OpenMap } from "#components/map/open-map.ts";
import { Provenance, SecondaryProvenance } from "#components/map/provenance.tsx";
import { Readout } from "#components/map/readout.tsx";
import type { Scene } from "#components/map/scene.ts";
import { PointPanel } from "#components/point/point-panel.tsx";
import { PointPeek } from "#components/point/point-peek.tsx";
import { StormPeek } from "#components/storms/storm-peek.tsx";
import { useStorms } from "#components/storms/use-storms.ts";
import { TimeBar } from "#components/time/time-bar.tsx";
import { Panel, type PanelTab } from "#components/ui/panel.tsx";
import { clockText } from "#components/view-state/format-time.ts";
import { firstSource, layerName, paintedBy } from "#components/view-state/layers.ts";
import { symbolsOf } from "#components/view-state/overlays.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import { useTheme } from "#components/view-state/use-theme.ts";
import { type Place, sampledPlace, useView } from "#components/view-state/view-url.ts";
import { zoneOf } from "#components/view-state/zone.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { parseInstant } from "#lib/time.ts";
import { ViewWords } from "./describe-view.tsx";
import { FootLine } from "./foot-line.tsx";
import { Hint } from "./hint.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { KeyHelp } from "./key-help.tsx";
import { NavLinks } from "./nav-links.tsx";
import { NoticeBar } from "./notice-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { useFirstRun } from "./use-first-run.ts";
import { useMapActions } from "./use-map-actions.ts";
import { usePlay } from "./use-play.ts";
import { useWeather } from "./use-weather.ts";

const readMap = () => import("#components/map/weather-map.tsx");
const WeatherMap = dynamic(() => readMap().then((file) => file.WeatherMap), { ssr: false });
// Needed at once, and not small: it comes while the page comes to life, and is asked for again if it fails.
if (typeof window !== "undefined") readMap().catch(() => undefined);

// The map comes first: what only a storm needs is read after it.
const readStormPanel = () => import("#components/storms/storm-panel.tsx");
const StormPanel = dynamic(() => readStormPanel().then((file) => file.StormPanel), { ssr: false });

/** Over a slow line the first field may take this long before the rest is asked for beside it. */
const PATIENCE_MS = 5000;

/** Near enough to see the winds of a storm. */
const STORM_ZOOM = 4;

/** The one screen: map, panel, time; each region is a file of its own. */
export function MapScreen() {
  const [view, change] = useView();
  const theme = useTheme(view.th);
  const weather = useWeather(view);
  const { access, key, now, instants, time, steps, pair, drawn } = weather;
  /** The first field is drawn, or there is none to wait for: conditions and storms are asked for. */
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setBegun(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const storms = useStorms(key, view, time, begun);
  const awaited = weather.loading && !begun;
  const scene = useMemo<Scene>(
    () => ({
      field: pair && drawn && { variable: drawn, pair },
      awaited,
      relief: weather.relief.pair,
      symbols: [
        ...(pair && drawn ? symbolsOf(drawn, view.o).map((kind) => ({ kind, variable: drawn, pair })) : []),
        ...weather.lines.flatMap(({ variable, pair }) =>
          pair && variable !== drawn ? [{ kind: "isolines" as const, variable, pair }] : [],
        ),
      ],
      overlays: view.o,
      projection: view.proj,
      theme: theme ?? "light",
      storms: storms.scene,
      sample: view.p,
    }),
    [
      pair,
      drawn,
      awaited,
      weather.relief.pair,
      weather.lines,
      view.o,
      view.proj,
      theme,
      storms.scene,
      view.p,
    ],
  );
  const [panelOpen, setPanelOpen] = useState(true);
  const [tab, setTab] = useState(view.storm ? "storms" : "point");
  const [help, setHelp] = useState(false);
  const [broken, setBroken] = useState(false);
  const controls = useRef<OpenMap>(undefined);
  const hover = useRef<(place: Place | undefined) => void>(undefined);

  const goTo = (instant: number | undefined) => {
    if (instant !== undefined) void change({ t: instant });
  };
  const index = nearestIndex(instants, time ?? now);
  const play = usePlay(weather.settled, time === undefined ? undefined : instants[index + 1], goTo);
  /** Looks at a place, also while the map is still on its way. */
  const lookAt = (place: Place, zoom?: number) => {
    if (controls.current) controls.current.goTo(place, zoom);
    else void change({ c: place, z: zoom ?? view.z });
  };
  const sample = ({ latitude, longitude }: Place) => {
    void change({ p: sampledPlace(latitude, longitude) });
    setTab("point");
    setPanelOpen(true);
  };
  const openStorm = (id: string) => {
    void change({ storm: id });
    setTab("storms");
    setPanelOpen(true);
  };
  const showStorm = async (entry: StormEntry) => {
    const { stormPlace } = await import("#components/storms/storm-shapes.ts");
    const place = stormPlace(entry, time ?? now);
    if (place) lookAt(place, Math.max(view.z, STORM_ZOOM));
  };
  const act = useMapActions({
    view,
    change,
    weather,
    controls,
    sample,
    onPlay: play.toggle,
    onHelp: () => setHelp(true),
    onStorms: () => {
      setTab("storms");
      setPanelOpen(true);
    },
    onNextStorm: () => {
      const next =
        storms.entries[(storms.entries.findIndex(({ id }) => id === view.storm) + 1) % storms.entries.length];
      if (!next) return;
      openStorm(next.id);
      void showStorm(next);
    },
  });

  // A connection that is lost at sea must not take the storms with it.
  useEffect(() => {
    if (!weather.settled) return;
    void readStormPanel();
    loadReplies().catch(() => undefined);
  }, [weather.settled]);

  const first = useFirstRun(change, (place, zoom) => controls.current?.goTo(place, zoom));
  const layer = paintedBy(view.l);
  const title = layer ? paintedOutput(layer).title : "Map";
  const loading = weather.loading && !broken;
  const zone = zoneOf(view.tz, (view.p ?? view.c).longitude);
  const tabs: PanelTab[] = [
    {
      id: "point",
      title: "Point",
      peek:
        view.p && key && begun && time !== undefined ? (
          <PointPeek apiKey={key} place={view.p} time={time} units={view.u} />
        ) : (
          <p className="text-muted text-sm">Tap the sea for its conditions.</p>
        ),
      body: (
        <PointPanel
          apiKey={key}
          place={view.p}
          time={begun ? time : undefined}
          soon={weather.loading || (!begun && time !== undefined)}
          now={now}
          units={view.u}
          zone={zone}
          onTime={goTo}
          onForget={() => void change({ p: null })}
        />
      ),
    },
    {
      id: "storms",
      title: storms.entries.length > 0 ? `Storms (${storms.entries.length})` : "Storms",
      peek: <StormPeek storms={storms} />,
      body: (
        <StormPanel
          storms={storms}
          view={view}
          change={(to) => void change(to)}
          apiKey={key}
          now={now}
          zone={zone}
          onTime={goTo}
          onShow={(entry) => void showStorm(entry)}
        />
      ),
    },
  ];

  return (
    <div className="screen" data-settled={weather.settled && !(storms.loading && !storms.error)}>
      <TopBar
        view={view}
        change={(to) => void change(to)}
        theme={theme}
        apiKey={key}
        onFound={(place) => {
          lookAt(place);
          sample(place);
        }}
        onHelp={() => setHelp(true)}
      />
      <main className="relative isolate min-h-0" style={{ gridArea: "map" }}>
        <WeatherMap
          centre={view.c}
          zoom={view.z}
          scene={scene}
          controls={controls}
          onBroken={() => {
            setBroken(true);
            setBegun(true);
          }}
          onFirstField={() => setBegun(true)}
          onMove={(c, z) => void change({ c, z: Number(z.toFixed(2)) })}
          onView={weather.onView}
          onSample={(latitude, longitude) => sample({ latitude, longitude })}
          onStorm={openStorm}
          onHover={(place) => hover.current?.(place)}
          onKey={act}
        />
        <p id="map-keys" className="sr-only">
          Arrow keys move the map, plus and minus zoom, Enter reads the conditions at the centre, square
          brackets step in time, the question mark lists all keys.
        </p>
        <div className="pointer-events-none absolute inset-x-0 top-0 z-3 flex flex-col items-stretch">
          <NoticeBar weather={weather} />
          <div className="flex flex-col items-center gap-2 px-3 pt-3">
            <MapNotice
              title={title}
              loading={loading}
              error={weather.error}
              empty={weather.empty}
              outside={weather.outside}
              source={layer && firstSource(layer)}
              onRetry={weather.retry}
            />
            <LinesNotice lines={weather.lines} onRetry={weather.retry} />
            {first.hint && key ? <Hint onClose={first.putAway} /> : null}
          </div>
        </div>
        <ViewWords
          pair={pair}
          layer={drawn}
          lines={weather.lines}
          centre={view.c}
          box={weather.box}
          units={view.u}
          loading={
            loading && time !== undefined
              ? `Loading ${title.toLowerCase()} for ${clockText(time, zone)}.`
              : undefined
          }
        />
        <div className="pointer-events-none absolute bottom-3 left-3 flex max-w-[calc(100%-4.5rem)] flex-col items-start gap-1.5">
          <SymbolLegend layer={view.l} shown={view.o} theme={theme} storms={storms.entries.length > 0} />
          {layer ? (
            <Legend layer={layer} theme={theme} units={view.u} onUnits={(u) => void change({ u })} />
          ) : null}
        </div>
      </main>
      <Panel tabs={tabs} current={tab} onTab={setTab} open={panelOpen} onOpen={setPanelOpen} />
      {time !== undefined && instants.length > 0 ? (
        <TimeBar
          instants={instants}
          time={time}
          now={now}
          runTime={weather.fixed ? undefined : steps && parseInstant(steps.run.reference_time)}
          dataset={steps?.run.dataset}
          fixed={weather.fixed ? layerName(view.l) : undefined}
          forecastFrom={weather.forecastFrom}
          zone={zone}
          playing={play.playing}
          onPlay={play.toggle}
          onTime={goTo}
        />
      ) : null}
      <FootLine
        synthetic={weather.synthetic}
        provenance={
          <p className="provenance truncate">
            {steps && time !== undefined ? (
              <Provenance
                title={title}
                steps={steps}
                fixed={weather.fixed}
                time={time}
                now={now}
                zone={zone}
              />
            ) : null}
            <SecondaryProvenance fields={[...weather.lines, weather.relief]} />
          </p>
        }
        readout={<Readout sink={hover} pair={pair} layer={drawn} units={view.u} />}
      />
      <NavLinks className="surface bottom-nav" />
      {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
      {access && !key ? <KeyDialog refused={access.refused} /> : null}
    </div>
  );
}
