"use client";

import "#components/view/without-eval.ts";

import dynamic from "next/dynamic";
import { useEffect, useMemo, useRef, useState } from "react";
import { Legend } from "#components/legend/legend.tsx";
import { MapNotice } from "#components/map/map-notice.tsx";
import { Provenance } from "#components/map/provenance.tsx";
import { Readout } from "#components/map/readout.tsx";
import type { Scene } from "#components/map/scene.ts";
import { useField } from "#components/map/use-field.ts";
import { useManifest } from "#components/map/use-manifest.ts";
import { PointPanel } from "#components/point/point-panel.tsx";
import { TimeBar } from "#components/time/time-bar.tsx";
import { nearestIndex, stepsAround, stepsAt } from "#components/time/timeline.ts";
import { DemoBar } from "#components/ui/demo-bar.tsx";
import { KeyDialog } from "#components/ui/key-dialog.tsx";
import { keyWasRefused, useApiKey } from "#components/view/api-key.ts";
import { ServiceError } from "#components/view/service.ts";
import { type Place, sampledPlace, useView } from "#components/view/view-url.ts";
import { colourScales } from "#lib/catalog/colours.ts";
import { variable } from "#lib/catalog/variables.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";

const WeatherMap = dynamic(() => import("#components/map/weather-map.tsx").then((file) => file.WeatherMap), {
  ssr: false,
});

/** Instants to either side of the one shown that are fetched ahead. */
const AHEAD = 3;

/** The one screen: map, legend, time, sampled point. */
export function MapScreen() {
  const [view, setView] = useView();
  const access = useApiKey();
  const key = access?.refused ? undefined : access?.key;
  const [attempt, setAttempt] = useState(0);

  const scale = colourScales[view.l];
  const title = paintedTitle(view.l);
  const { manifest, instants } = useManifest(key, view.l, view.t);
  const now = manifest.data ? parseInstant(manifest.data.now) : 0;
  const time = view.t ?? instants[nearestIndex(instants, now)];
  const steps = useMemo(
    () => (manifest.data && time !== undefined ? stepsAt(manifest.data, time) : undefined),
    [manifest.data, time],
  );
  const around = useMemo(
    () => (manifest.data && time !== undefined ? stepsAround(manifest.data, instants, time, AHEAD) : []),
    [manifest.data, instants, time],
  );
  const [box, setBox] = useState<ViewBox>();
  const field = useField({ variable: view.l, steps, around, box }, key, attempt);
  const pair = steps ? field.pair : undefined;
  const drawn = field.variable ?? view.l;
  const scene = useMemo<Scene>(
    () => ({
      field: pair && { variable: drawn, pair },
      symbols: [],
      projection: "mercator",
      theme: "light",
      sample: view.p,
    }),
    [pair, drawn, view.p],
  );

  const error = manifest.error ?? field.error;
  const refused = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  useEffect(() => {
    if (refused && key) keyWasRefused(key);
  }, [refused, key]);

  // A newer run has taken the place of the one that is drawn.
  const replaced = field.error instanceof ServiceError && field.error.status === 404;
  const { refetch } = manifest;
  useEffect(() => {
    if (replaced) void refetch();
  }, [replaced, refetch]);

  const hover = useRef<(place: Place | undefined) => void>(undefined);
  const goTo = (instant: number | undefined) => {
    if (instant !== undefined) void setView({ t: instant });
  };
  const retry = () => {
    void refetch();
    setAttempt((last) => last + 1);
  };
  const loading =
    key !== undefined &&
    !error &&
    (manifest.isPending || manifest.isPlaceholderData || (steps && !field.settled));

  return (
    <div className="flex h-dvh flex-col overflow-hidden" data-settled={Boolean(steps && field.settled)}>
      <header className="surface flex min-h-12 items-center justify-between gap-4 border-line border-b px-4 md:min-h-14">
        <h1 className="font-semibold">Open MetOcean</h1>
        <p className="text-sm">
          <strong>Not for navigation.</strong>
        </p>
      </header>
      <main className="flex min-h-0 flex-1 flex-col md:flex-row">
        <div className="relative min-h-0 flex-1">
          <WeatherMap
            centre={view.c}
            zoom={view.z}
            scene={scene}
            onMove={(c, z) => void setView({ c, z: Number(z.toFixed(2)) })}
            onView={setBox}
            onSample={(latitude, longitude) => void setView({ p: sampledPlace(latitude, longitude) })}
            onHover={(place) => hover.current?.(place)}
            onStep={(by) => goTo(instants[nearestIndex(instants, time ?? now) + by])}
          />
          <p id="map-keys" className="sr-only">
            Arrow keys move the map, plus and minus zoom, Enter reads the conditions at the centre, square
            brackets step in time.
          </p>
          <div className="pointer-events-none absolute inset-x-0 top-0 flex flex-col items-stretch">
            {manifest.data?.synthetic ? <DemoBar /> : null}
            <div className="flex justify-center px-3 pt-3">
              <MapNotice
                title={title}
                loading={Boolean(loading)}
                error={refused ? undefined : error}
                empty={manifest.data?.runs.length === 0}
                outside={Boolean(manifest.data?.runs.length && !steps && !manifest.isPlaceholderData)}
                onRetry={retry}
              />
            </div>
          </div>
          <div className="pointer-events-none absolute bottom-3 left-3 max-w-[calc(100%-1.5rem)]">
            <Legend title={title} scale={scale} unit={view.u} onUnit={(u) => void setView({ u })} />
          </div>
        </div>
        {view.p && key && time !== undefined ? (
          <PointPanel
            apiKey={key}
            place={view.p}
            time={time}
            unit={view.u}
            onClose={() => void setView({ p: null })}
          />
        ) : null}
      </main>
      {time !== undefined && instants.length > 0 ? (
        <TimeBar
          instants={instants}
          time={time}
          now={now}
          runTime={steps && parseInstant(steps.run.reference_time)}
          dataset={steps?.run.dataset}
          onTime={goTo}
        />
      ) : null}
      <footer className="surface flex min-h-7 items-center justify-between gap-4 border-line border-t px-4 text-muted text-xs">
        {steps && time !== undefined ? <Provenance title={title} steps={steps} time={time} /> : <span />}
        <Readout sink={hover} pair={pair} scale={scale} unit={view.u} />
      </footer>
      {access && !key ? <KeyDialog refused={access.refused} /> : null}
    </div>
  );
}

/** Title of the quantity that the colours show. */
function paintedTitle(name: keyof typeof colourScales): string {
  const { paints } = colourScales[name];
  const painted = variable(name).outputs.find(({ is }) =>
    paints === "length" ? is === "speed" : is === "value",
  );
  return painted?.title ?? variable(name).title;
}
