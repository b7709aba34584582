"use client";

import dynamic from "next/dynamic";
import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { Readout } from "#components/map/hover-readout.tsx";
import { useStorms } from "#components/storms/storms-context.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { type LayerName, layerTitle, paintedBy } from "#components/view-state/overlays.ts";
import { useView, ViewProvider } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { DetailsPanel } from "./details-panel.tsx";
import { FieldProvenance } from "./field-provenance.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { MapActions, MapTools } from "./map-bar.tsx";
import { MapKeysDialog } from "./map-keys-dialog.tsx";
import { MapRegion } from "./map-region.tsx";
import { PageShell } from "./page-shell.tsx";
import { PrintSheet } from "./print-sheet.tsx";
import { ScreenProvider, type ScreenState, useScreen } from "./screen-context.tsx";
import { TimeRegion } from "./time-region.tsx";
import { useStormsItem } from "./use-storms-item.ts";

// Only the film of a storm needs it.
const loadFilmBar = withWords(() => import("#components/storms/film-bar.tsx"), "stormCard");
const FilmBar = dynamic(() => loadFilmBar().then((file) => file.FilmBar), { ssr: false });

/** The map page. Each region reads what it shows from the contexts, so that only those concerned are rendered again. */
export function MapScreen() {
  return (
    <ApiKeyProvider>
      <ViewProvider>
        <ScreenProvider>
          <Regions />
        </ScreenProvider>
      </ViewProvider>
    </ApiKeyProvider>
  );
}

function Regions() {
  const { view, zone } = useView();
  const screen = useScreen();
  const { drawn, drawnTime, old, compare } = screen;
  const storms = useStorms();
  const stormsItem = useStormsItem();
  const isFilmAwaited = storms.film !== undefined && !storms.film.film && !storms.filmError;
  return (
    <PageShell
      current="/"
      layout="map"
      tools={<MapTools />}
      actions={<MapActions />}
      provenance={
        <p className="provenance truncate">
          <FieldProvenance />
        </p>
      }
      readout={
        <Readout
          sink={screen.hover}
          pair={screen.pair}
          layer={drawn}
          units={view.u}
          oldTime={old && drawnTime !== undefined ? formatShortTime(drawnTime, zone) : undefined}
          other={
            compare && {
              pair: compare.pair,
              layer: compare.drawn,
              oldTime:
                compare.old && compare.drawnTime !== undefined
                  ? formatShortTime(compare.drawnTime, zone)
                  : undefined,
            }
          }
        />
      }
      storms={stormsItem}
      synthetic={screen.synthetic}
      settled={
        screen.settled && compare?.settled !== false && !(storms.loading && !storms.error) && !isFilmAwaited
      }
    >
      <MapRegion />
      <DetailsPanel />
      {storms.film ? <FilmBar weather={describeWeather(screen, view.l, zone)} /> : <TimeRegion />}
      <MapKeysDialog />
      <KeyPrompt />
      <PrintSheet />
    </PageShell>
  );
}

/** What the map shows of the weather while a film is open. */
function describeWeather(
  { filmPlaying, outside, empty, fixed, old, drawnTime }: ScreenState,
  layer: LayerName,
  zone: Zone,
): string {
  if (!paintedBy(layer)) return "";
  const { film } = zone.words.screen;
  const title = layerTitle(layer, zone.words);
  if (filmPlaying) return film.playing({ title });
  if (outside || empty) return film.none({ title });
  if (old && drawnTime !== undefined) return film.old({ title, time: formatShortTime(drawnTime, zone) });
  return fixed ? film.fixed({ title }) : film.same({ title });
}
