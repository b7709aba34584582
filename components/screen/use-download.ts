import type { Place } from "@open-metocean/geo/sphere";
import { useEffect, useMemo, useRef } from "react";
import type { DownloadPanelProps } from "#components/download/download-panel.tsx";
import type { AreaSource } from "#components/download/saved-areas.tsx";
import type { SceneArea } from "#components/map/scene.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import type { PanelStop } from "#components/ui/panel.tsx";
import {
  downloadArea,
  giveCorner,
  giveDrawnBox,
  showDownloadArea,
  useDownloadArea,
} from "#components/view-state/download-area.ts";
import { paintedBy } from "#components/view-state/overlays.ts";
import { usePlan } from "#components/view-state/plan.ts";
import { useSavedPlaces } from "#components/view-state/saved-places.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { type DrawnVariable, variableOf } from "#lib/catalog/colours.ts";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { layerOf } from "#lib/catalog/painted.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { useScreen, useTab, useWeather } from "./screen-context.tsx";
import { useNavigation } from "./use-navigation.ts";

/**
 * The area of a download as the map draws it; undefined while none is prepared. It exists, although empty, as
 * soon as the panel is open, so that the code that draws it has loaded before the first drag, which would
 * otherwise move the map.
 */
export function useAreaScene(): SceneArea | undefined {
  const { isOpen, box, isOwn, isDrawing, corner } = useDownloadArea(
    "isOpen",
    "box",
    "isOwn",
    "isDrawing",
    "corner",
  );
  return useMemo(
    () =>
      isOpen ? { box, isDrawing, corner, onBox: isOwn || isDrawing ? giveDrawnBox : undefined } : undefined,
    [isOpen, box, isOwn, isDrawing, corner],
  );
}

/**
 * Clicks and keys on the map while the area of a download is drawn. Each function returns whether it handled
 * the event.
 */
export const areaDrawing = {
  /** Handles a click, or Enter at the cross. */
  click(place: Place): boolean {
    const { isDrawing } = downloadArea();
    if (isDrawing) giveCorner(place);
    return isDrawing;
  },
  key({ key }: KeyboardEvent): boolean {
    if (!downloadArea().isDrawing || key !== "Escape") return false;
    endAreaDrawing();
    return true;
  },
};

export function endAreaDrawing(): void {
  showDownloadArea({ isDrawing: false, corner: undefined });
}

/**
 * Lowers the panel while an area is drawn and restores it afterwards; opens the panel for files of series. It
 * must be used only once.
 */
export function useDownloadNavigation(): void {
  const { isDrawing, wantsSeries, wantsArea } = useDownloadArea("isDrawing", "wantsSeries", "wantsArea");
  const { map, panel } = useScreen();
  const tab = useTab();
  const { showTab } = useNavigation();
  /** Height that the panel had before the drawing; undefined while nothing is drawn. */
  const drawing = useRef<PanelStop>(undefined);
  const wanted = useRef<typeof wantsSeries>(undefined);
  // If the user leaves before the panel has loaded, the request is dropped.
  useEffect(
    () =>
      tab === "download" ? () => showDownloadArea({ wantsSeries: undefined, wantsArea: false }) : undefined,
    [tab],
  );
  useEffect(() => {
    const isAsked = wantsArea || (wantsSeries !== undefined && wantsSeries !== wanted.current);
    wanted.current = wantsSeries;
    if (isAsked && tab !== "download") showTab("download");
    if (isDrawing === (drawing.current !== undefined)) return;
    const before = drawing.current;
    drawing.current = isDrawing ? panel.current().stop : undefined;
    if (isDrawing) {
      // On a phone the panel would cover the map.
      panel.change({ stop: "low" });
      // A dialog that closes returns the focus first, so this waits.
      queueMicrotask(() => map.current?.focus());
    } else if (tab === "download") showTab("download");
    else if (before) panel.change({ stop: before });
  });
}

/** Properties of the downloads panel that come from the map. */
export function useDownloadPanel(): DownloadPanelProps {
  const view = useView("l", "o", "p", "storm", "model");
  const { map } = useScreen();
  const { box, drawn, drawnTime, time, now } = useWeather("box", "drawn", "drawnTime", "time", "now");
  const { entries } = useStorms("entries");
  const { route } = usePlan().plan;
  const saved = useSavedPlaces();
  const painted = drawn ?? paintedBy(view.l);
  const isobars = view.o.includes("isobars");
  const heights = view.o.includes("heights");
  const shown = useMemo(() => {
    const lines: VariableName[] = [
      ...(isobars ? ["pressure" as const] : []),
      ...(heights ? ["wave" as const] : []),
    ];
    return {
      box,
      point: view.p,
      saved,
      time: drawnTime ?? time ?? now,
      last: acceptedTimes(now).last,
      variables: [...new Set([variableOf(layerOf(painted ?? "wind")), ...lines])],
      storms: entries.map(({ id, provider, name, is_invest }) => ({
        id,
        provider,
        title: name && !is_invest ? `${name} (${id})` : id,
      })),
      storm: view.storm,
      route,
    };
  }, [box, view.p, saved, drawnTime, time, now, painted, isobars, heights, entries, view.storm, route]);
  const areas = useMemo((): AreaSource => {
    const lines: DrawnVariable[] = [
      ...(isobars ? ["pressure" as const] : []),
      ...(heights ? ["wave" as const] : []),
    ];
    return {
      layers: [...new Set([layerOf(painted ?? "wind"), ...lines])],
      model: view.model,
      // Needed only by those who save an area.
      plan: async (...wish) => (await import("#components/map/area-plan.ts")).readAreaPlan(...wish),
      readLand: async (box) => (await import("#components/map/area-plan.ts")).readAreaLand(box),
    };
  }, [painted, isobars, heights, view.model]);
  return { shown, areas, onShow: (area) => map.current?.fit(area, 9) };
}
