/** One published field of GET /storms. */
export interface StormField {
  type: "string" | "integer" | "number" | "boolean" | "object" | "array";
  nullable?: true;
  /** May be absent. */
  optional?: true;
}

const quadrants = (prefix: string): Record<string, StormField> => ({
  [prefix]: { type: "object", nullable: true },
  ...Object.fromEntries(
    ["ne", "se", "sw", "nw"].map((quadrant) => [`${prefix}.${quadrant}`, { type: "number", nullable: true }]),
  ),
});

const box = (prefix: string): Record<string, StormField> => ({
  [prefix]: { type: "object" },
  ...Object.fromEntries(["s", "n", "w", "e"].map((edge) => [`${prefix}.${edge}`, { type: "number" }])),
});

const trackPoint = (prefix: string): Record<string, StormField> => ({
  [prefix]: { type: "array" },
  [`${prefix}[].time`]: { type: "integer" },
  [`${prefix}[].lat`]: { type: "number" },
  [`${prefix}[].lon`]: { type: "number" },
  [`${prefix}[].vmax_kt`]: { type: "number", nullable: true },
  [`${prefix}[].mslp_hpa`]: { type: "number", nullable: true },
  [`${prefix}[].type`]: { type: "string", nullable: true },
  [`${prefix}[].category`]: { type: "integer", nullable: true },
  [`${prefix}[].heading_deg`]: { type: "number", nullable: true },
  [`${prefix}[].speed_kmh`]: { type: "number", nullable: true },
  [`${prefix}[].wind_radii_km`]: { type: "object", nullable: true },
  // 30kn belongs to jma, 34kn to jtwc; 50kn and 64kn to both.
  ...quadrants(`${prefix}[].wind_radii_km.30kn`),
  ...quadrants(`${prefix}[].wind_radii_km.34kn`),
  ...quadrants(`${prefix}[].wind_radii_km.50kn`),
  ...quadrants(`${prefix}[].wind_radii_km.64kn`),
  [`${prefix}[].sea_radii_km`]: { type: "object", optional: true },
  ...quadrants(`${prefix}[].sea_radii_km.12ft`),
  [`${prefix}[].sea_radii_km.12ft`]: { type: "object" },
  ...box(`${prefix}[].affectance_bbox`),
  [`${prefix}[].affectance_bbox_estimated`]: { type: "boolean" },
});

const units = ["vmax_kt", "mslp_hpa", "speed_kmh", "heading_deg", "wind_radii_km", "cone_radius_km"];

/** The published fields of a storm entry, by path. A test compares the schema with them. */
export const stormFields: Record<string, StormField> = {
  schema_version: { type: "string" },
  generated_at: { type: "integer" },
  provider: { type: "string" },
  id: { type: "string" },
  name: { type: "string", nullable: true },
  year: { type: "integer" },
  basin: { type: "string" },
  is_active: { type: "boolean" },
  is_invest: { type: "boolean" },
  bulletin_at: { type: "integer", optional: true },
  is_overdue: { type: "boolean", optional: true },
  mirror: { type: "string", optional: true },
  aliases: { type: "array", optional: true },
  units: { type: "object" },
  ...Object.fromEntries(units.map((unit) => [`units.${unit}`, { type: "string" } as const])),
  "units.sea_radii_km": { type: "string", optional: true },
  ...box("track_bbox"),
  cone: { type: "object", optional: true },
  "cone.basin": { type: "string" },
  "cone.source": { type: "string" },
  "cone.source_basin": { type: "string", nullable: true },
  "cone.year": { type: "integer", nullable: true },
  "cone.radii_table_km": { type: "object", nullable: true },
  "cone.circles": { type: "array" },
  "cone.circles[].fhr": { type: "integer" },
  "cone.circles[].lat": { type: "number" },
  "cone.circles[].lon": { type: "number" },
  "cone.circles[].r_km": { type: "number" },
  "cone.center_line": { type: "array" },
  "cone.center_line[].lat": { type: "number" },
  "cone.center_line[].lon": { type: "number" },
  "cone.envelope_polygon": { type: "array", nullable: true },
  "cone.envelope_polygon[].lat": { type: "number" },
  "cone.envelope_polygon[].lon": { type: "number" },
  tracks: { type: "object" },
  ...trackPoint("tracks.observed"),
  "tracks.forecast": { type: "object", optional: true },
  "tracks.forecast.issued_at": { type: "integer" },
  "tracks.forecast.is_stale": { type: "boolean", optional: true },
  "tracks.forecast.stale_at": { type: "integer", optional: true },
  "tracks.forecast.withdrawn_at": { type: "integer", optional: true },
  "tracks.forecast.cone_source": { type: "string" },
  ...trackPoint("tracks.forecast.points"),
  "tracks.forecast.points[].fhr": { type: "integer" },
  "tracks.forecast.points[].cone_radius_km": { type: "number", nullable: true, optional: true },
  development: { type: "object", optional: true },
  "development.likelihood": { type: "string" },
  "development.within_hours": { type: "integer" },
  "development.percent_48h": { type: "integer", nullable: true },
  "development.percent_7d": { type: "integer", nullable: true },
  "development.issued_at": { type: "integer" },
  formation_alert: { type: "object", optional: true },
  "formation_alert.issued_at": { type: "integer" },
  "formation_alert.valid_until": { type: "integer" },
  "formation_alert.bulletin": { type: "string" },
  "formation_alert.likelihood": { type: "string", nullable: true },
  "formation_alert.line": { type: "array" },
  "formation_alert.line[].lat": { type: "number" },
  "formation_alert.line[].lon": { type: "number" },
  "formation_alert.half_width_km": { type: "number" },
  "formation_alert.corridor": { type: "array" },
  "formation_alert.corridor[].lat": { type: "number" },
  "formation_alert.corridor[].lon": { type: "number" },
  "formation_alert.winds_kt": { type: "object", nullable: true },
  "formation_alert.winds_kt.min": { type: "integer" },
  "formation_alert.winds_kt.max": { type: "integer" },
  "formation_alert.mslp_hpa": { type: "number", nullable: true },
  "formation_alert.heading_deg": { type: "number", nullable: true },
  "formation_alert.speed_kmh": { type: "number", nullable: true },
  "formation_alert.text": { type: "string" },
};
