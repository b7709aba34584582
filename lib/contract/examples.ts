import type { z } from "zod";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import type { RequestName, requests } from "./wire-schemas.ts";

/** Makes an example of each body, around a time. @param now Weather clock, Unix seconds. */
type RequestExamples = { [N in RequestName]: (now: number) => z.input<(typeof requests)[N]> };

/** A whole hour as text. @param ahead Hours after the last whole hour. */
export function hourFrom(now: number, ahead: number): string {
  return formatInstant((Math.floor(now / HOUR_S) + ahead) * HOUR_S);
}

const ushant = { latitude: 48.5, longitude: -5.2 };
const scilly = { latitude: 49.7, longitude: -6.7 };
const biscay = { latitude: 46, longitude: -6.5 };

/** A box around Ushant at one instant. */
const box = (now: number) => ({
  latitude: [47.5, 49],
  longitude: [-6.5, -4.5],
  timestamp: hourFrom(now, 6),
});

const passage = (now: number) => ({
  route: [ushant, scilly],
  departure: hourFrom(now, 6),
  vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 6 } as const,
});

/** Examples that /openapi.json and the API page show and that a test sends. Every request body has one. */
export const requestExamples: RequestExamples = {
  PointRequest: (now) => ({
    points: [
      { ...ushant, timestamp: hourFrom(now, 6) },
      { ...biscay, timestamp: hourFrom(now, 18) },
    ],
    variables: ["wind", "wave", "current"],
  }),
  ManyPointsRequest: (now) => ({
    points: [6, 12, 18].map((ahead) => ({ ...ushant, timestamp: hourFrom(now, ahead) })),
    variables: ["wind", "wave"],
    task_name: "Off Ushant",
  }),
  PointRunsRequest: (now) => ({
    points: [{ ...ushant, timestamp: hourFrom(now, 24) }],
    variables: ["wind"],
    last_runs: 3,
  }),
  EnsembleRequest: (now) => ({
    points: [24, 48, 72].map((ahead) => ({ ...ushant, timestamp: hourFrom(now, ahead) })),
    variables: ["wind", "gust"],
    percentiles: [10, 50, 90],
    // 17.49 m/s is 34 kn, the lower limit of a gale.
    thresholds: [{ output: "Gust_10m", over: 17.49 }],
  }),
  MapRequest: (now) => ({ bounding_boxes: [box(now)], variable: "wind" }),
  FileRequest: (now) => ({
    area: { type: "box", latitude: [47.5, 49], longitude: [-6.5, -4.5] },
    variables: ["wind", "gust", "wave", "pressure"],
    from: hourFrom(now, 0),
    to: hourFrom(now, 24),
    step_hours: 3,
    // The example asks for the size only, because the file itself is not JSON.
    estimate: true,
  }),
  StormApproachRequest: () => ({
    provider: "jtwc",
    vessel: { latitude: 24, longitude: -58, course_deg: 300, speed_kt: 12 },
  }),
  PassageRequest: (now) => ({ ...passage(now), storms: "jtwc", include_pieces: false }),
  // The distance is short enough for a synchronous search.
  OptimiseRequest: (now) => ({
    ...passage(now),
    route: [ushant, { latitude: 49.1, longitude: -6 }],
    objective: "within_limits",
    include_pieces: false,
  }),
  WorkabilityRequest: (now) => ({
    area: { type: "point", ...ushant },
    from: hourFrom(now, -28 * 24),
    to: hourFrom(now, 0),
    limits: [
      { quantity: "Winds_10m_Intensity", max: 10 },
      { quantity: "Waves_Significant_Height", max: 1.5 },
    ],
    window_hours: 12,
  }),
  EdrTrajectoryRequest: (now) => {
    const at = Math.floor(now / HOUR_S) * HOUR_S;
    return {
      coords: `LINESTRINGM(-5.2 48.5 ${at + 6 * HOUR_S}, -6.5 46 ${at + 18 * HOUR_S})`,
      "parameter-name": "Winds_10m_Direction,Winds_10m_Intensity",
    };
  },
  ChannelRequest: () => ({ kind: "webhook", name: "Bridge", target: "https://example.com/alerts" }),
  WatchRequest: () => ({
    name: "Gale off Ushant",
    question: {
      kind: "place",
      ...ushant,
      window_hours: 48,
      conditions: [
        { quantity: "wind_kt", over: 33 },
        { quantity: "sea_m", over: 4 },
      ],
    },
  }),
  AlertsRead: () => ({ ids: ["00000000-0000-4000-8000-000000000000"] }),
};
