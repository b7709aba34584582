import type { Feature, Geometry } from "geojson";
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { unwrapped } from "#lib/geo/unwrap.ts";
import type { Words } from "#lib/messages/words.ts";
import { shortAgency } from "./format-storm.ts";
import type { StormColours } from "./storm-icons.ts";
import { type ComparedStorm, stormShapes } from "./storm-shapes.ts";

export const PEER_SOURCE = "storm-peer";

interface PeerProperties {
  kind: "peer-observed" | "peer-forecast" | "peer-between" | "peer-place";
  label?: string;
}

/** The other provider's track, and a line between the two centres at each time that both tracks have a point. */
export function peerShapes(
  { entry, differences }: ComparedStorm,
  words: Words,
): Feature<Geometry, PeerProperties>[] {
  const scene = { entries: [entry], selected: null, time: 0, danger: null, boxes: false, words };
  const tracks = stormShapes(scene).features.flatMap(({ properties: { kind }, ...feature }) =>
    kind === "observed" || kind === "forecast"
      ? [{ ...feature, properties: { kind: `peer-${kind}` as const } }]
      : [],
  );
  const latest = entry.tracks.observed.at(-1);
  return [
    ...differences.flatMap(({ exact, jtwc, jma }): Feature<Geometry, PeerProperties>[] => {
      if (!exact) return [];
      const [one = 0, other = 0] = unwrapped([jtwc.longitude, jma.longitude]);
      const coordinates = [
        [one, jtwc.latitude],
        [other, jma.latitude],
      ];
      const mine = coordinates[entry.provider === "jtwc" ? 0 : 1] ?? [];
      return [
        {
          type: "Feature",
          geometry: { type: "LineString", coordinates },
          properties: { kind: "peer-between" },
        },
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: mine },
          properties: { kind: "peer-place" },
        },
      ];
    }),
    ...tracks,
    ...(latest
      ? [
          {
            type: "Feature" as const,
            geometry: { type: "Point" as const, coordinates: [latest.lon, latest.lat] },
            properties: { kind: "peer-place" as const, label: shortAgency(entry.provider) },
          },
        ]
      : []),
  ];
}

/** Layers of the other track, lowest first: in the colour of the labels, so that neither is taken for the other. */
export function peerLayers({ ink, halo }: StormColours, labelFont: string[]): LayerSpecification[] {
  const of = (kind: PeerProperties["kind"]): ExpressionSpecification => ["==", ["get", "kind"], kind];
  const line = (kind: PeerProperties["kind"], width: number, dashes?: number[]): LayerSpecification => ({
    id: `storm-${kind}`,
    type: "line",
    source: PEER_SOURCE,
    filter: of(kind),
    paint: { "line-color": ink, "line-width": width, ...(dashes && { "line-dasharray": dashes }) },
  });
  return [
    line("peer-between", 1),
    {
      id: "storm-peer-halo",
      type: "line",
      source: PEER_SOURCE,
      filter: ["in", ["get", "kind"], ["literal", ["peer-observed", "peer-forecast"]]],
      paint: { "line-color": halo, "line-width": 4 },
    },
    line("peer-observed", 2),
    line("peer-forecast", 2, [1, 1.5]),
    {
      id: "storm-peer-place",
      type: "circle",
      source: PEER_SOURCE,
      filter: of("peer-place"),
      paint: {
        "circle-radius": 2.5,
        "circle-color": halo,
        "circle-stroke-color": ink,
        "circle-stroke-width": 1.5,
      },
    },
    {
      id: "storm-peer-label",
      type: "symbol",
      source: PEER_SOURCE,
      filter: of("peer-place"),
      layout: {
        "text-field": ["coalesce", ["get", "label"], ""],
        "text-font": labelFont,
        "text-size": 12,
        "text-anchor": "right",
        "text-offset": [-1.6, 0],
        // The storm's own label is next to it.
        "text-allow-overlap": true,
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 1.5 },
    },
  ];
}
