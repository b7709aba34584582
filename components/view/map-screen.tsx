"use client";

import "#components/view/without-eval.ts";

import dynamic from "next/dynamic";
import { useMemo, useRef, useState } from "react";
import { Legend } from "#components/legend/legend.tsx";
import { SymbolLegend } from "#components/legend/symbol-legend.tsx";
import { MapNotice } from "#components/map/map-notice.tsx";
import type { OpenMap } from "#components/map/open-map.ts";
import { Provenance } from "#components/map/provenance.tsx";
import { Readout } from "#components/map/readout.tsx";
import type { Scene } from "#components/map/scene.ts";
import { PointPanel } from "#components/point/point-panel.tsx";
import { PointPeek } from "#components/point/point-peek.tsx";
import { StormPanel } from "#components/storms/storm-panel.tsx";
import { StormPeek } from "#components/storms/storm-peek.tsx";
import { stormPlace } from "#components/storms/storm-shapes.ts";
import { useStorms } from "#components/storms/use-storms.ts";
import { TimeBar } from "#components/time/time-bar.tsx";
import { nearestIndex } from "#components/time/timeline.ts";
import { clockText } from "#components/time/words.ts";
import { zoneOf } from "#components/time/zone.ts";
import { KeyDialog } from "#components/ui/key-dialog.tsx";
import { Panel, type PanelTab } from "#components/ui/panel.tsx";
import { FootLine } from "#components/view/foot-line.tsx";
import { Hint } from "#components/view/hint.tsx";
import { KeyHelp } from "#components/view/key-help.tsx";
import { paintedOutput } from "#components/view/layers.ts";
import { NavLinks } from "#components/view/nav-links.tsx";
import { NoticeBar } from "#components/view/notice-bar.tsx";
import { symbolsOf } from "#components/view/overlays.ts";
import { TopBar } from "#components/view/top-bar.tsx";
import { useFirstRun } from "#components/view/use-first-run.ts";
import { useMapActions } from "#components/view/use-map-actions.ts";
import { usePlay } from "#components/view/use-play.ts";
import { useTheme } from "#components/view/use-theme.ts";
import { useWeather } from "#components/view/use-weather.ts";
import { type Place, sampledPlace, useView } from "#components/view/view-url.ts";
import { ViewWords } from "#components/view/view-words.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { parseInstant } from "#lib/time.ts";

const WeatherMap = dynamic(() => import("#components/map/weather-map.tsx").then((file) => file.WeatherMap), {
  ssr: false,
});

/** Near enough to see the winds of a storm. */
const STORM_ZOOM = 4;

/** The one screen: map, panel, time; each region is a file of its own. */
export function MapScreen() {
  const [view, change] = useView();
  const theme = useTheme(view.th);
  const weather = useWeather(view);
  const { access, key, now, instants, time, steps, pair, drawn } = weather;
  const storms = useStorms(key, view, time);
  const scene = useMemo<Scene>(
    () => ({
      field: pair && { variable: drawn, pair },
      symbols: pair ? symbolsOf(drawn, view.o).map((kind) => ({ kind, variable: drawn, pair })) : [],
      overlays: view.o,
      projection: view.proj,
      theme: theme ?? "light",
      storms: storms.scene,
      sample: view.p,
    }),
    [pair, drawn, view.o, view.proj, theme, storms.scene, view.p],
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
  const showStorm = (entry: StormEntry) => {
    const place = stormPlace(entry, time ?? now);
    if (place) controls.current?.goTo(place, Math.max(view.z, STORM_ZOOM));
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
      showStorm(next);
    },
  });

  const first = useFirstRun(change, (place, zoom) => controls.current?.goTo(place, zoom));
  const output = paintedOutput(view.l);
  const loading = weather.loading && !broken;
  const zone = zoneOf(view.tz, (view.p ?? view.c).longitude);
  const tabs: PanelTab[] = [
    {
      id: "point",
      title: "Point",
      peek:
        view.p && key && time !== undefined ? (
          <PointPeek apiKey={key} place={view.p} time={time} units={view.u} />
        ) : (
          <p className="text-muted text-sm">Tap the sea for its conditions.</p>
        ),
      body: (
        <PointPanel
          apiKey={key}
          place={view.p}
          time={time}
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
          onShow={showStorm}
        />
      ),
    },
  ];

  return (
    <div className="screen" data-settled={weather.settled}>
      <TopBar
        view={view}
        change={(to) => void change(to)}
        theme={theme}
        apiKey={key}
        onFound={(place) => {
          controls.current?.goTo(place);
          sample(place);
        }}
        onHelp={() => setHelp(true)}
      />
      <main className="relative min-h-0" style={{ gridArea: "map" }}>
        <WeatherMap
          centre={view.c}
          zoom={view.z}
          scene={scene}
          controls={controls}
          onBroken={() => setBroken(true)}
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
        <div className="pointer-events-none absolute inset-x-0 top-0 flex flex-col items-stretch">
          <NoticeBar weather={weather} />
          <div className="flex flex-col items-center gap-2 px-3 pt-3">
            <MapNotice
              title={output.title}
              loading={loading}
              error={weather.error}
              empty={weather.empty}
              outside={weather.outside}
              onRetry={weather.retry}
            />
            {first.hint && key ? <Hint onClose={first.putAway} /> : null}
          </div>
        </div>
        <ViewWords
          pair={pair}
          layer={drawn}
          centre={view.c}
          box={weather.box}
          units={view.u}
          loading={
            loading && time !== undefined
              ? `Loading ${output.title.toLowerCase()} for ${clockText(time, zone)}.`
              : undefined
          }
        />
        <div className="pointer-events-none absolute bottom-3 left-3 flex max-w-[calc(100%-4.5rem)] flex-col items-start gap-1.5">
          <SymbolLegend layer={view.l} shown={view.o} />
          <Legend layer={view.l} theme={theme} units={view.u} onUnits={(u) => void change({ u })} />
        </div>
      </main>
      <Panel tabs={tabs} current={tab} onTab={setTab} open={panelOpen} onOpen={setPanelOpen} />
      {time !== undefined && instants.length > 0 ? (
        <TimeBar
          instants={instants}
          time={time}
          now={now}
          runTime={steps && parseInstant(steps.run.reference_time)}
          dataset={steps?.run.dataset}
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
          steps && time !== undefined ? (
            <Provenance title={output.title} steps={steps} time={time} now={now} zone={zone} />
          ) : null
        }
        readout={<Readout sink={hover} pair={pair} layer={drawn} units={view.u} />}
      />
      <NavLinks className="surface bottom-nav" />
      {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
      {access && !key ? <KeyDialog refused={access.refused} /> : null}
    </div>
  );
}
