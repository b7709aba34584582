import { variableNames } from "#lib/catalog/variables.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";

/** A request of the recorded set. `:task_id` in a path stands for the last accepted task. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Body, sent as JSON; a string is sent unchanged. */
  body?: unknown;
}

export const pointVariablesOfRequests = [...variableNames];

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** Table formats of point answers. */
const pointTypes = [
  "application/json",
  "text/csv",
  "application/x-ndjson",
  "application/vnd.apache.arrow.stream",
  "application/x-netcdf",
  "application/geo+json",
  "application/octet-stream",
  "text/html;q=0.5, */*;q=0.1",
];

const places = [
  [48.5, -5.2],
  [0, 180],
  [0, -180],
  [90, 0],
  [-90, 12],
  [51.477, 0],
  [-33.9, 18.4],
  [27.98, 86.92],
  [10.123456, -150.987654],
] as const;

/**
 * Requests that touch every operation, valid and invalid.
 *
 * @param now Weather time of the server, `YYYY-MM-DDThh:mm:ssZ`.
 */
export function* requestsAt(now: string, variables: readonly string[]): Generator<RecordedRequest> {
  const start = parseInstant(now);
  const at = (seconds: number) => formatInstant(start + seconds);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): RecordedRequest => ({
    method: "POST",
    path,
    headers,
    body,
  });
  const get = (path: string, headers: Record<string, string> = {}, method = "GET"): RecordedRequest => ({
    method,
    path,
    headers,
  });
  const points = places.flatMap(([latitude, longitude], index) => [
    { latitude, longitude, timestamp: at(index * 1800) },
    { latitude, longitude, timestamp: at(5 * DAY_S + index * HOUR_S) },
    { latitude, longitude, timestamp: at(-(index + 1) * 40 * DAY_S) },
  ]);

  for (const type of pointTypes) {
    yield post("/MetOcean", { points, variables, include_meta: true }, { accept: type });
  }
  for (const variable of variables) yield post("/MetOcean", { points, variables: [variable] });
  for (const wind_height of [10, 33.3, 100]) {
    yield post("/MetOcean", { points, variables: ["wind", "gust"], wind_height, include_meta: true });
  }
  const one = { points: points.slice(0, 1), variables: ["wind"] };
  const wrong: unknown[] = [
    "{",
    "",
    "[]",
    "null",
    {},
    { points: [], variables: ["wind"] },
    { ...one, variables: [] },
    { ...one, variables: ["fog"] },
    { ...one, wind_height: 9 },
    { ...one, wind_height: "10" },
    { ...one, points: [{ latitude: 91, longitude: 190, timestamp: "yesterday" }] },
    { ...one, points: [{ latitude: 1, longitude: 2, timestamp: at(11 * DAY_S) }] },
    { ...one, points: [{ latitude: 1, longitude: 2, timestamp: at(-4 * 366 * DAY_S) }] },
    { ...one, task_name: "x".repeat(201) },
  ];
  for (const path of [
    "/MetOcean",
    "/MetOcean/runs",
    "/MetOcean/async",
    "/2DMetOcean",
    "/files",
    "/storms/approach",
    "/passages/evaluate",
    "/passages/optimise",
    "/workability",
  ]) {
    for (const body of wrong) yield post(path, body);
    yield post(path, one, { "content-type": "text/plain" });
    yield post(path, one, { "x-api-key": "wrong" });
    yield post(path, one, { "content-encoding": "br" });
    for (const method of ["GET", "HEAD", "OPTIONS", "DELETE", "PUT"]) yield get(path, {}, method);
  }

  const box = (
    longitude: readonly number[],
    timestamp: unknown,
    latitude: readonly number[] = [-10, 10],
  ) => ({
    bounding_boxes: [{ latitude, longitude, timestamp }],
  });
  for (const variable of ["wind", "wave", "current"]) {
    yield post("/2DMetOcean", { ...box([-20, 0], now), variable, include_meta: true });
    yield post("/2DMetOcean", { ...box([170, -170], at(-400 * DAY_S)), variable });
    yield post("/2DMetOcean", { ...box([10, 10.3], [now, at(6 * HOUR_S)], [40, 40.4]), variable });
    for (const type of pointTypes) {
      yield post("/2DMetOcean", { ...box([-4, 0], at(1800), [44, 48]), variable }, { accept: type });
    }
  }
  for (const bad of [
    { ...box([0, 1], now), variable: "bathy" },
    { ...box([0, 1], [at(HOUR_S), now]), variable: "wind" },
    { ...box([0, 1], [now, at(40 * DAY_S)]), variable: "wind" },
    { ...box([0, 1], now, [2, 1]), variable: "wind" },
    { ...box([-180, 180], [now, at(9 * DAY_S)], [-90, 90]), variable: "wind" },
  ]) {
    yield post("/2DMetOcean", bad);
  }

  const task = { points, variables, task_name: "recorded", include_meta: true };
  yield post("/MetOcean/async", task, { "idempotency-key": "recorded-1" });
  for (const type of [...pointTypes, "application/json;q=0"]) yield get("/task/:task_id", { accept: type });
  for (const encoding of ["gzip", "br", "identity", "*"]) {
    yield get("/task/:task_id", { "accept-encoding": encoding });
  }
  yield get("/task/:task_id/request");
  yield get("/task/:task_id", {}, "HEAD");
  yield post("/cancel_task/:task_id", undefined);
  yield post("/2DMetOcean", { ...box([-20, 0], now), variable: "wind", async: true });
  for (const type of pointTypes) yield get("/task/:task_id", { accept: type });
  yield get("/user/tasks");
  yield get("/user/tasks/SUCCESS");
  yield get("/user/tasks/NONSENSE");
  yield get("/user/tasks?limit=1");
  yield get("/task/:task_id", {}, "DELETE");
  yield get("/task/:task_id");
  yield get("/task/not-a-task");
  yield get("/task/not-a-task/events");

  for (const provider of ["jtwc", "jma", "nhc", ""]) {
    yield get(`/storms?provider=${provider}`);
    yield get(`/storms?provider=${provider}&include_invests=true`);
    yield get(`/storms?provider=${provider}`, { accept: "application/geo+json" });
    yield get(`/storms/outlooks?provider=${provider}`);
    yield get(`/storms/AL012026/history?provider=${provider}`);
    yield get(`/storms/AL012026/danger?provider=${provider}`);
  }
  const vessel = { latitude: 20, longitude: -50, course_deg: 300, speed_kt: 12 };
  for (const provider of ["jtwc", "jma"]) yield post("/storms/approach", { provider, vessel });
  const passage = {
    route: [
      { latitude: 40, longitude: 179.8 },
      { latitude: 40.2, longitude: -179.9, leg: "rhumb" },
    ],
    vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 },
  };
  yield post("/passages/evaluate", { ...passage, departure: now, storms: "jtwc" });
  yield post("/passages/evaluate", { ...passage, departures: { from: now, to: at(DAY_S), step_hours: 6 } });
  yield post("/passages/evaluate", { ...passage, departure: now, async: true });

  for (const path of [
    "/limits",
    "/openapi.json",
    "/healthz",
    "/2DMetOcean/manifest",
    "/storms",
    "/user/tasks",
  ]) {
    yield get(path);
    yield get(path, { "x-api-key": "wrong" });
    yield get(path, {}, "HEAD");
    yield get(path, { origin: "https://example.org" }, "OPTIONS");
    yield get(`${path}/`);
    yield get(`${path.toUpperCase()}`);
  }
  for (const path of ["/MetOcean/unknown", "/task", "/frames/x", "/metocean", "/no-such-page"])
    yield get(path);
}
