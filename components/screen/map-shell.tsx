import type { ReactNode } from "react";
import { Provenance, SecondaryProvenance } from "#components/map/provenance.tsx";
import { Readout } from "#components/map/readout.tsx";
import { useStorms } from "#components/storms/storms-context.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { layerTitle } from "#components/view-state/layers.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { MapActions, MapTools } from "./map-bar.tsx";
import { PageShell } from "./page-shell.tsx";
import { useScreen } from "./screen-context.tsx";
import { useWeather } from "./weather-context.tsx";

/** The page shell around the regions of the map page. */
export function MapShell({ children }: { children: ReactNode }) {
  const { view, zone } = useView();
  const { time, now } = useClock();
  const { steps, fixed, lines, relief, pair, drawn, settled, synthetic } = useWeather();
  const storms = useStorms();
  const { hover } = useScreen();
  const provenance = (
    <p className="provenance truncate">
      {steps && time !== undefined ? (
        <Provenance
          title={layerTitle(view.l)}
          steps={steps}
          fixed={fixed}
          time={time}
          now={now}
          zone={zone}
        />
      ) : null}
      <SecondaryProvenance fields={[...lines, relief]} />
    </p>
  );
  return (
    <PageShell
      current="/"
      layout="map"
      tools={<MapTools />}
      actions={<MapActions />}
      provenance={provenance}
      readout={<Readout sink={hover} pair={pair} layer={drawn} units={view.u} />}
      synthetic={synthetic}
      settled={settled && !(storms.loading && !storms.error)}
    >
      {children}
    </PageShell>
  );
}
