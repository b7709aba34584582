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
import { TileOverlaysContext } from "#components/view-state/tile-overlays.ts";
import { useView, useZone, ViewProvider } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { drawnVariables, variableOf } from "#lib/catalog/colours.ts";
import { layerOf } from "#lib/catalog/painted.ts";
import { variable } from "#lib/catalog/variables.ts";
import type { StrongWind } from "#lib/contract/strong-wind.ts";
import type { TileOverlay } from "#lib/contract/tile-overlay.ts";
import { parseInstant } from "#lib/time.ts";
import { DetailsPanel } from "./details-panel.tsx";
import { takeStormsFragment } from "./details-tab.ts";
import { KeyPrompt } from "./key-prompt.tsx";
import { MapTools, SiteMenu } from "./map-bar.tsx";
import { mapKeys } from "./map-keys.ts";
import { MapRegion } from "./map-region.tsx";
import { PageShell } from "./page-shell.tsx";
import { PrintSheet } from "./print-sheet.tsx";
import { ScreenProvider, useScreen, useWeather, type Weather } from "./screen-context.tsx";
import { StationSearchProvider } from "./station-search-provider.tsx";
import { useNavigation } from "./use-navigation.ts";

// Needed only to choose a date.
const TimePicker = dynamic(() => import("#components/time/time-picker.tsx").then((file) => file.TimePicker), {
  ssr: false,
});

/** The time bar of the map, and the dialog for date and time. */
function TimeRegion() {
  const words = useWords();
  const view = useView("l");
  const { steps, drawnTime, drawnFixed, old, fixed } = useWeather(
    "steps",
    "drawnTime",
    "drawnFixed",
    "old",
    "fixed",
  );
  const { overlays, playback } = useScreen();
  const { dialog } = overlays.use("dialog");
  const { playing, toggle } = playback.use("playing", "toggle");
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
        playing={playing}
        onPlay={toggle}
        onPick={() => overlays.change({ dialog: "time" })}
      />
      {dialog === "time" ? (
        <TimePicker
          archive={archive.data}
          error={archive.error}
          isArchiveOnly={variable(variableOf(layerOf(dated))).archiveOnly === true}
          onClose={() => overlays.change({ dialog: undefined })}
        />
      ) : null}
    </>
  );
}

// Needed only for the film of a storm.
const loadFilmBar = withWords(() => import("#components/storms/film-bar.tsx"), "stormCard");
const FilmBar = dynamic(() => loadFilmBar().then((file) => file.FilmBar), { ssr: false });

/**
 * The map page. Each region selects from the stores what it shows, so that only affected regions render again.
 *
 * @param winds The strongest winds, for a view without a place.
 */
interface Props {
  winds: Promise<readonly StrongWind[]>;
  /** Tiles of other services that the operator offers. */
  tiles: readonly TileOverlay[];
}

export function MapScreen({ winds, tiles }: Props) {
  return (
    <ApiKeyProvider>
      <ViewProvider>
        <TileOverlaysContext value={tiles}>
          <ScreenProvider>
            <Frame tools={<MapTools />} actions={<SiteMenu />}>
              <MapRegion winds={winds} />
              <DetailsPanel />
              <TimeOrFilm />
              <MapKeysDialog />
              <KeyPrompt />
              <PrintSheet />
            </Frame>
          </ScreenProvider>
        </TileOverlaysContext>
      </ViewProvider>
    </ApiKeyProvider>
  );
}

/** The frame of the page around the regions, which do not render again with it. */
function Frame({
  children,
  ...bar
}: Required<Pick<Parameters<typeof PageShell>[0], "tools" | "actions" | "children">>) {
  const view = useView("c");
  const { settled, compare } = useWeather("settled", "compare");
  const storms = useStorms("film", "filmError", "loading", "error");
  useStormsFragment();
  const isFilmAwaited = storms.film !== undefined && !storms.film.film && !storms.filmError;
  return (
    <StationSearchProvider centre={view.c}>
      <PageShell
        {...bar}
        current="/"
        layout="map"
        settled={
          settled && compare?.settled !== false && !(storms.loading && !storms.error) && !isFilmAwaited
        }
      >
        {children}
      </PageShell>
    </StationSearchProvider>
  );
}

/** The time bar, or that of the open film. */
function TimeOrFilm() {
  const { film } = useStorms("film");
  return film ? <FilmTime /> : <TimeRegion />;
}

function FilmTime() {
  const view = useView("l");
  const zone = useZone();
  const weather = useWeather("outside", "empty", "fixed", "old", "drawnTime");
  const { filmPlaying } = useScreen().playback.use("filmPlaying");
  return <FilmBar weather={describeWeather({ ...weather, filmPlaying }, view.l, zone)} />;
}

interface FilmWeather extends Pick<Weather, "outside" | "empty" | "fixed" | "old" | "drawnTime"> {
  filmPlaying: boolean;
}

/** Describes the weather on the map while a film is open. */
function describeWeather(
  { filmPlaying, outside, empty, fixed, old, drawnTime }: FilmWeather,
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
  const { panel } = useScreen();
  const { setTab } = useNavigation();
  useEffect(() => {
    const follow = () => {
      if (!takeStormsFragment()) return;
      setTab("storms");
      panel.change({ open: true, stop: "half" });
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [setTab, panel]);
}

/** The help for the keys of the map, while it is open. */
function MapKeysDialog() {
  const { keys: words } = useWords().screen;
  const { overlays } = useScreen();
  const { dialog } = overlays.use("dialog");
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
    <Dialog title={words.title} onClose={() => overlays.change({ dialog: undefined })}>
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
