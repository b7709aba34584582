import { StrokeIcon } from "#components/ui/icon.tsx";
import type { LayerName } from "#components/view-state/overlays.ts";
import { layerOf } from "#lib/catalog/painted.ts";

/** A clock above a wave, for periods. */
const CLOCK = "M12 2.5a5 5 0 1 1 0 10a5 5 0 0 1 0-10M12 5v2.5h2";

/** A cloud in the upper part of the picture. */
const CLOUD = "M7 15a4 4 0 0 1-.5-8A5.5 5.5 0 0 1 17 7.5a3.8 3.8 0 0 1 0 7.5z";

/** Stroke paths on a 24 × 24 grid. */
const pictures: Partial<Record<LayerName, string>> = {
  wind: "M2.5 9h11a3 3 0 1 0-3-3M2.5 13h15.5a3 3 0 1 1-3 3M2.5 17h7",
  gust: "M2.5 8h10.5a2.5 2.5 0 1 0-2.5-2.5M2.5 12h16.5a2.8 2.8 0 1 0-2.8-2.8M2.5 16h10a2.8 2.8 0 1 1-2.8 2.8",
  wave: "M2 9.5c2.5 0 2.5-3.5 5-3.5s2.5 3.5 5 3.5s2.5-3.5 5-3.5s2.5 3.5 5 3.5M2 17.5c2.5 0 2.5-3.5 5-3.5s2.5 3.5 5 3.5s2.5-3.5 5-3.5s2.5 3.5 5 3.5",
  wave_period: `M2 20.5c2.5 0 2.5-3.5 5-3.5s2.5 3.5 5 3.5s2.5-3.5 5-3.5s2.5 3.5 5 3.5${CLOCK}`,
  swell: "M2 19c4.5 0 5.5-7.5 10-7.5S17.5 19 22 19M6.5 6h11M14.5 3l3 3l-3 3",
  swell_period: `M2 21c4.5 0 5.5-4.5 10-4.5s5.5 4.5 10 4.5${CLOCK}`,
  wind_sea: "M2 19l3.5-5L9 19l3-5l3 5l3.5-5l3.5 5M4 8.5h10a2.5 2.5 0 1 0-2.5-2.5",
  wind_sea_period: `M2 21l3.5-4.5L9 21l3-4.5l3 4.5l3.5-4.5l3.5 4.5${CLOCK}`,
  current: "M2.5 6c4-3 6 3 10 0s5-1 9 0M2.5 12c4-3 6 3 10 0s5-1 9 0M2.5 18h13M12.5 15l3 3l-3 3",
  sst: "M7.5 3a2 2 0 0 1 2 2v8a4 4 0 1 1-4 0V5a2 2 0 0 1 2-2M14 8c2 0 2-2 4-2s2 2 4 2M14 13c2 0 2-2 4-2s2 2 4 2M14 18c2 0 2-2 4-2s2 2 4 2",
  bathy: "M2 5.5c2.5 0 2.5-2 5-2s2.5 2 5 2s2.5-2 5-2s2.5 2 5 2M12 9v8.5M8.5 14l3.5 3.5l3.5-3.5M3 21h18",
  rain: `${CLOUD}M8.5 18l-1 3M12.5 18l-1 3M16.5 18l-1 3`,
  cloud: "M7 18a4.5 4.5 0 0 1-.5-9A6 6 0 0 1 18 9.8a4.2 4.2 0 0 1-.5 8.2z",
  mucape: `${CLOUD}M13 12.5L10.5 17h3.5L11.5 21.5`,
  temp: "M12 3a2.5 2.5 0 0 1 2.5 2.5v8.300a4.5 4.5 0 1 1-5 0V5.5A2.5 2.5 0 0 1 12 3M12 9v8",
  pressure:
    "M12 10a2 2 0 1 1 0 4a2 2 0 0 1 0-4M12 6.5c4.5 0 6 2.5 6 5.5s-2.5 5.5-6 5.5S6 15 6 12s2-5.5 6-5.5M3 9c.8-3.5 4-6 9-6M21 15c-.8 3.5-4 6-9 6",
  none: "M3 6l6-2l6 2l6-2v14l-6 2l-6-2l-6 2zM9 4v14M15 6v14",
};

/** A sheet above another, for a layer without a picture of its own. */
const SHEETS = "M12 4l9 5l-9 5l-9-5zM3 14l9 5l9-5";

/** The picture of a layer; its name stands beside it or names the button. */
export function LayerIcon({ layer, className }: { layer: LayerName; className?: string }) {
  const picture = pictures[layer === "none" ? layer : layerOf(layer)];
  return <StrokeIcon d={picture ?? SHEETS} width={1.8} className={className} />;
}
