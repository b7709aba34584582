import type { StormEntry, StormPlace } from "#lib/contract/storm-form.ts";
import type { FormationAlert } from "#lib/contract/storm-outlook.ts";
import { coneOutline } from "./cone.ts";
import { dangerArea } from "./danger-area.ts";
import type { DangerMethod } from "./danger-methods.ts";
import { english, provenance } from "./file-provenance.ts";
import { areaOf, type Geometry, lineOf } from "./geojson-geometry.ts";
import { averagingMinutes, describeCone, describeDangerArea, notice } from "./provenance.ts";
import { ofWire } from "./wire.ts";

export interface StormFeature {
  type: "Feature";
  id: string;
  properties: Record<string, unknown>;
  geometry: Geometry;
}

export interface StormCollection {
  type: "FeatureCollection";
  features: StormFeature[];
  /** One text per storm. */
  provenance: string[];
}

/**
 * Storms as GeoJSON (RFC 7946: cut at 180°, rings counter-clockwise): tracks, their points, cones and danger areas.
 * `kind` distinguishes the features; each has provider, averaging period and the notice that it is not for navigation.
 */
export function stormsGeojson(
  entries: readonly StormEntry[],
  method: DangerMethod = "classic",
): StormCollection {
  return {
    type: "FeatureCollection",
    provenance: entries.map((entry) => provenance(entry, dangerArea(entry, method)).join(". ")),
    features: entries.flatMap((entry) => featuresOf(entry, method)),
  };
}

function featuresOf(entry: StormEntry, method: DangerMethod): StormFeature[] {
  const { observed, forecast } = entry.tracks;
  const common = {
    storm: entry.id,
    name: entry.name,
    provider: entry.provider,
    wind_average_minutes: averagingMinutes[entry.provider],
    notice,
  };
  const feature = (kind: string, geometry: Geometry, more: Record<string, unknown> = {}): StormFeature => ({
    type: "Feature",
    id: `${entry.provider}-${entry.id}-${kind}`,
    properties: { kind, ...common, ...more },
    geometry,
  });
  const point = (kind: string, { lat, lon, ...properties }: StormPlace, index: number) =>
    feature(`${kind}-${index}`, { type: "Point", coordinates: [lon, lat] }, { ...properties, kind });
  const ahead = forecast?.points ?? [];
  const lines = (
    [
      ["observed-track", observed],
      ["forecast-track", ahead],
    ] as const
  ).flatMap(([kind, points]) => {
    const geometry = lineOf(points.map(ofWire));
    return geometry ? [feature(kind, geometry)] : [];
  });
  const cone = coneOutline(entry);
  const alert = entry.formation_alert;
  const danger = dangerArea(entry, method);
  return [
    ...(danger?.outline
      ? [
          feature("danger-area", areaOf(danger.outline), {
            method,
            rule: describeDangerArea(danger, english),
          }),
        ]
      : []),
    ...(cone ? [feature("cone", areaOf(cone), { radii: describeCone(entry, english) })] : []),
    ...(alert
      ? [feature("formation-alert", areaOf(alert.corridor.map(ofWire)), alertProperties(alert))]
      : []),
    ...lines,
    ...observed.map((one, index) => point("observed-point", one, index)),
    ...ahead.map((one, index) => point("forecast-point", one, index)),
  ];
}

function alertProperties({ issued_at, valid_until, likelihood, half_width_km, text }: FormationAlert) {
  return { issued_at, valid_until, likelihood, half_width_km, text };
}
