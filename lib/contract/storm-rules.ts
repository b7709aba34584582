import type { ForecastPoint, StormCone, StormEntry, TrackPoint } from "./storm-form.ts";

/**
 * Checks the rules between several fields of a storm: when a value is null, and when a part is absent.
 *
 * @returns What is wrong, in words; empty for a valid entry.
 */
export function stormFaults(entry: StormEntry): string[] {
  const { observed, forecast } = entry.tracks;
  const faults = [
    ...observed.flatMap((point, index) =>
      pointFaults(entry, point).map((fault) => `tracks.observed[${index}]: ${fault}`),
    ),
    ...(forecast?.points ?? []).flatMap((point, index) =>
      [...pointFaults(entry, point), ...forecastFaults(point, forecast!.issued_at)].map(
        (fault) => `tracks.forecast.points[${index}]: ${fault}`,
      ),
    ),
    ...(entry.cone ? coneFaults(entry, entry.cone) : []),
  ];
  if (!ascending(observed)) faults.push("tracks.observed is not ascending in time");
  if (forecast && !ascending(forecast.points)) faults.push("tracks.forecast.points is not ascending in time");
  if (forecast && !entry.is_active) faults.push("a storm that has ended has no forecast");
  if (entry.cone && !forecast) faults.push("a cone without a forecast");
  if ((entry.development || entry.formation_alert) && !(entry.is_invest && entry.is_active)) {
    faults.push("only an invest that is tracked has a development and a formation alert");
  }
  if (!entry.id.endsWith(String(entry.year))) faults.push("id and year name different seasons");
  if (entry.name === null && entry.provider !== "jma") faults.push("only jma has storms without a name");
  return faults;
}

/** Lowest threshold of wind radii. Without its radii the affectance box is an estimate. */
export const lowestThreshold = { jtwc: "34kn", jma: "30kn" } as const;

function pointFaults({ provider, is_invest }: StormEntry, point: TrackPoint): string[] {
  const faults: string[] = [];
  if ((point.category === null) !== (point.vmax_kt === null)) faults.push("category is null without vmax_kt");
  if ((point.heading_deg === null) !== (point.speed_kmh === null))
    faults.push("heading and speed go together");
  if (point.category !== null && point.type !== null && point.category > 0 !== (point.type === "HU")) {
    faults.push(`type ${point.type} does not go with category ${point.category}`);
  }
  if (provider === "jma" && is_invest && point.type !== null) faults.push("type of a jma invest is null");
  const radii = point.wind_radii_km as Record<string, Record<string, number> | null> | null;
  const lowest = lowestThreshold[provider];
  if (radii && !(lowest in radii)) faults.push(`wind radii without ${lowest}`);
  if (point.affectance_bbox_estimated !== !radii?.[lowest]) {
    faults.push(`affectance_bbox_estimated does not tell whether ${lowest} is given`);
  }
  if (
    provider === "jma" &&
    Object.values(radii ?? {}).some((one) => one && new Set(Object.values(one)).size > 1)
  ) {
    faults.push("quadrants of jma are all the same");
  }
  return faults;
}

function forecastFaults(point: ForecastPoint, issued: number): string[] {
  const faults: string[] = [];
  if (point.time !== issued + 3600 * point.fhr) faults.push("time is not issued_at + 3600 · fhr");
  if ((point.cone_radius_km === undefined) !== (point.fhr === 0)) {
    faults.push("cone_radius_km is absent at fhr 0 and nowhere else");
  }
  return faults;
}

function coneFaults({ tracks }: StormEntry, cone: StormCone): string[] {
  const faults: string[] = [];
  const own = cone.source === "jma";
  const points = tracks.forecast?.points ?? [];
  const reaching = points.filter(({ cone_radius_km }) => cone_radius_km != null);
  if (tracks.forecast && tracks.forecast.cone_source !== cone.source) faults.push("cone: two sources");
  if ((cone.source_basin === null) !== (cone.source !== "borrowed_nhc")) {
    faults.push("cone.source_basin is set when a table is borrowed, and only then");
  }
  if ((cone.year === null) !== own) faults.push("cone.year is null for jma, and only then");
  if ((cone.radii_table_km === null) !== own)
    faults.push("cone.radii_table_km is null for jma, and only then");
  if (own && cone.envelope_polygon !== null) faults.push("cone.envelope_polygon is null for jma");
  if (
    cone.circles.length !== reaching.length ||
    cone.circles.some(({ fhr }, at) => fhr !== reaching[at]?.fhr)
  ) {
    faults.push("cone.circles has one entry per forecast point with a radius");
  }
  const ring = cone.envelope_polygon;
  const [first, last] = [ring?.[0], ring?.at(-1)];
  if (ring && (ring.length < 4 || first?.lat !== last?.lat || first?.lon !== last?.lon)) {
    faults.push("cone.envelope_polygon is not closed");
  }
  return faults;
}

function ascending(points: readonly TrackPoint[]): boolean {
  return points.every((point, index) => index === 0 || point.time > points[index - 1]!.time);
}
