import { type MapField, MIN_STORED, NULL_ENTRY } from "#lib/field/map-field.ts";

/** 2 × 2 × 3 nodes across the antimeridian; every third speed is missing. */
export const smallMapField: MapField = {
  latitude: Float64Array.of(-0.25, 0),
  longitude: Float64Array.of(179.75, -180, -179.75),
  times: ["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z"],
  isRange: true,
  outputs: [
    {
      name: "Winds_10m_Direction",
      unit: "°",
      title: "Wind, direction from",
      decimals: 1,
      entries: Uint16Array.from({ length: 12 }, (_, i) => 299 * i - MIN_STORED),
    },
    {
      name: "Winds_10m_Intensity",
      unit: "m/s",
      title: "Wind speed",
      decimals: 2,
      entries: Uint16Array.from({ length: 12 }, (_, i) => (i % 3 === 2 ? NULL_ENTRY : 1234 + i - MIN_STORED)),
    },
  ],
};
