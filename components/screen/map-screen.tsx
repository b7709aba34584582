"use client";
import dynamic from "next/dynamic";
import { useEffect } from "react";
import { ApiKeyProvider, useApiKey } from "#components/api-client/api-key.tsx";
import { useArchive } from "#components/map/use-manifest.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { TimeBar } from "#components/time/time-bar.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { type LayerName, layerName, layerTitle, paintedBy } from "#components/view-state/overlays.ts";
import { useView, ViewProvider } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { drawnVariables, variableOf } from "#lib/catalog/colours.ts";
import { variable } from "#lib/catalog/variables.ts";
import { parseInstant } from "#lib/time.ts";
import { DetailsPanel } from "./details-panel.tsx";
import { takeStormsFragment } from "./details-tab.ts";
import { KeyPrompt } from "./key-prompt.tsx";
import { MapTools, SiteMenu } from "./map-bar.tsx";
import { mapKeys } from "./map-keys.ts";
import { MapRegion } from "./map-region.tsx";
import { PageShell } from "./page-shell.tsx";
import { PrintSheet } from "./print-sheet.tsx";
import { ScreenProvider, type ScreenState, useScreen } from "./screen-context.tsx";
import { StationSearchProvider } from "./station-search-provider.tsx";

// Needed only to choose a date.
const TimePicker = dynamic(() => import("#components/time/time-picker.tsx").then((file) => file.TimePicker), {
  ssr: false,
});

/** The time bar of the map, and the dialog for date and time. */
function TimeRegion() {
  const words = useWords();
  const { view } = useView();
  const { steps, drawnTime, drawnFixed, old, fixed, playback, dialog, setDialog } = useScreen();
  const painted = paintedBy(view.l);
  // A layer that does not change with time has no time axis; the first layer's archive is used instead.
  const dated = painted && !fixed ? painted : drawnVariables[0];
  const archive = useArchive(useApiKey(), dated, dialog === "time");
  return (
    <>
      <TimeBar
        runTime={fixed ? undefined : steps && parseInstant(steps.run.reference_time)}
        dataset={steps?.run.dataset}
        staticLayer={fixed ? layerName(view.l, words) : undefined}
        oldTime={old && !drawnFixed ? drawnTime : undefined}
        playing={playback.playing}
        onPlay={playback.toggle}
        onPick={() => setDialog("time")}
      />
      {dialog === "time" ? (
        <TimePicker
          archive={archive.data}
          error={archive.error}
          isArchiveOnly={variable(variableOf(dated)).archiveOnly === true}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
    </>
  );
}

// Needed only for the film of a storm.
const loadFilmBar = withWords(() => import("#components/storms/film-bar.tsx"), "stormCard");
const FilmBar = dynamic(() => loadFilmBar().then((file) => file.FilmBar), { ssr: false });

/**
 * The map page. Each region reads from the contexts what it shows, so that only affected regions render
 * again.
 */
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
  const { compare } = screen;
  const storms = useStorms();
  useStormsFragment();
  const isFilmAwaited = storms.film !== undefined && !storms.film.film && !storms.filmError;
  return (
    <StationSearchProvider centre={view.c}>
      <PageShell
        current="/"
        layout="map"
        tools={<MapTools />}
        actions={<SiteMenu />}
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
    </StationSearchProvider>
  );
}

/** Describes the weather on the map while a film is open. */
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

/** Opens the list of storms for a link to it; on a phone it takes half the height of the screen. */
function useStormsFragment(): void {
  const { setTab, setPanelOpen, setPanelStop } = useScreen();
  useEffect(() => {
    if (!takeStormsFragment()) return;
    setTab("storms");
    setPanelOpen(true);
    setPanelStop("half");
  });
}

/** The help for the keys of the map, while it is open. */
function MapKeysDialog() {
  const { keys: words } = useWords().screen;
  const { dialog, setDialog } = useScreen();
  if (dialog !== "keys") return null;
  const rows = [
    // Keys that MapLibre itself handles.
    { written: words.arrows, does: words.does.move },
    { written: "+ −", does: words.does.zoom },
    ...mapKeys.map(({ keys, written, does }) => ({
      written: written ? words[written] : keys.join(" "),
      does: words.does[does],
    })),
  ];
  return (
    <Dialog title={words.title} onClose={() => setDialog(undefined)}>
      <p className="mb-3 text-muted text-sm">{words.text}</p>
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">{words.key}</th>
            <th scope="col">{words.effect}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ written, does }) => (
            <tr key={written} className="border-line border-t">
              <th scope="row" className="py-1.5 pr-4 text-left font-medium">
                <kbd>{written}</kbd>
              </th>
              <td className="py-1.5">{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
