import { variableNames } from "#lib/catalog/variables.ts";
import { edrCollections, parametersOf } from "#lib/edr/metadata.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { standardOperations } from "#server/operations/operations.ts";
import { bodyFor } from "./bodies.ts";
import { damage, hostileValue, mutate } from "./json.ts";
import type { Random } from "./random.ts";
import { stationId, tideQuery } from "./tides.ts";

export interface FuzzRequest {
  method: string;
  /** Path and query, encoded. */
  target: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** Data from which requests are made. */
export interface World {
  /** Keys of two owners. */
  keys: readonly [string, string];
  /** Weather clock, Unix seconds. */
  now: number;
  /** Ids of existing tasks, added during the run. */
  tasks: string[];
}

const keyHeaders = (random: Random, keys: World["keys"]): Record<string, string> => {
  const roll = random.below(20);
  if (roll === 0) return {};
  if (roll === 1) return { "x-api-key": random.of(["", "wrong", `${keys[0]} `, "x".repeat(4_000), "é"]) };
  return { "x-api-key": random.of(keys) };
};

/** Values of headers that change a reply, or should not. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  accept: [
    "*/*",
    "text/csv",
    "application/x-ndjson",
    "application/x-netcdf",
    "application/geo+json",
    "application/vnd.apache.arrow.stream",
    "text/html",
    ";q=",
    "a/b;q=2,*/*;q=0",
    ",",
  ],
  "accept-encoding": ["gzip", "br", "*", "identity;q=0", "gzip;q=0, *;q=0", ";;;"],
  "content-type": [
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=latin1",
    "text/plain",
    "",
    "application/json; x",
  ],
  "content-encoding": ["gzip", "identity", "br"],
  "idempotency-key": ["a", "b", "c", "x".repeat(255), "x".repeat(256), " "],
  "if-none-match": ["*", '"x"', 'W/"x"', '"', "x, y"],
  "if-modified-since": ["yesterday"],
  range: ["bytes=0-0", "bytes=5-1", "bytes=-9999999999"],
  origin: ["https://example.org", "null"],
  "x-request-id": ["abcdefgh", "x".repeat(65), "a b"],
  "x-forwarded-for": ["1.2.3.4", "::1, evil", ","],
  "x-http-method-override": ["DELETE"],
  rsc: ["1"],
  "next-router-state-tree": ["x"],
  "next-action": ["x"],
  cookie: ["a=b; c"],
  upgrade: ["h2c"],
};

function moreHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  const names = Object.keys(headerValues);
  for (let count = random.below(3); count > 0; count--) {
    const name = random.of(names);
    headers[name] = random.of(headerValues[name]!);
  }
  return headers;
}

const pathParts = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%00",
  "%",
  "x",
  "MetOcean",
  "wind",
  "1",
  "a%2Fb",
  "é",
  "0".repeat(300),
];

function valueOfParam(name: string, random: Random, { tasks }: World): string {
  if (name.includes("task") && tasks.length > 0 && random.chance(0.7)) return random.of(tasks);
  if (/station|location/.test(name) && random.chance(0.9)) return stationId(random);
  return encodeURI(random.of(pathParts));
}

function queryOf(random: Random): string {
  if (random.chance(0.5)) return "";
  const names = ["provider", "include_invests", "method", "variable", "limit", "cursor", "issued_at", "x"];
  const values = [
    "jtwc",
    "jma",
    "classic",
    "season",
    "wind",
    "wave",
    "true",
    "0",
    "-1",
    "101",
    "%00",
    "é",
    "",
    "%",
    "a&b=c",
  ];
  const count = 1 + random.below(3);
  return `?${Array.from({ length: count }, () => `${random.of(names)}=${encodeURI(random.of(values))}`).join("&")}`;
}

/** Texts in a query that are not a number, name or time. */
const hostileTexts = [
  "",
  "NaN",
  "1e999",
  "-Infinity",
  "0x1F",
  "1,5",
  "190",
  "-180.000001",
  "\0",
  "é",
  "%",
  "x".repeat(9_000),
];

/** An almost valid query of GET /point. */
function placeQuery(random: Random, now: number): string {
  const query: Record<string, string> = {
    lat: String(random.between(-90, 90)),
    lon: String(random.of([-180, 180, random.between(-180, 180)])),
    ...(random.chance(0.5) && { time: formatInstant(now + random.below(200) * HOUR_S) }),
    ...(random.chance(0.5) && { variables: `${random.of(variableNames)},${random.of(variableNames)}` }),
    ...(random.chance(0.5) && { f: random.of(["json", "csv", "text", "netcdf", "geojson", "xml"]) }),
  };
  return `?${new URLSearchParams(disturbed(query, random))}`;
}

function queryFor(path: string, random: Random, now: number): string {
  if (path === "/point") return placeQuery(random, now);
  const ofTides = tideQuery(path, random, now);
  if (ofTides) return `?${new URLSearchParams(disturbed(ofTides, random))}`;
  if (path.startsWith("/edr/"))
    return `?${new URLSearchParams(disturbed(edrQuery(path, random, now), random))}`;
  return queryOf(random);
}

/** An almost valid query of EDR: a few places, or a box of a few degrees, at one time or at some hours. */
function edrQuery(path: string, random: Random, now: number): Record<string, string> {
  const time = (hours: number) => formatInstant(now + hours * HOUR_S);
  const place = () => `${random.between(-180, 180).toFixed(3)} ${random.between(-90, 90).toFixed(3)}`;
  const [west, south] = [Math.round(random.between(-180, 175)), Math.round(random.between(-90, 85))];
  const { variables } = random.of(edrCollections);
  const shared = {
    datetime: random.of([time(3), time(0.5), `${time(0)}/${time(6)}`]),
    ...(random.chance(0.7) && { "parameter-name": parametersOf(variables)[0]!.output.point }),
    ...(random.chance(0.3) && { f: random.of(["CoverageJSON", "GeoJSON", "CSV", "NetCDF", "GRIB2"]) }),
    ...(random.chance(0.1) && { z: random.of(["10", "55.5", "9", "10/20"]) }),
  };
  const own: Record<string, Record<string, string>> = {
    position: {
      ...shared,
      coords: random.of([`POINT(${place()})`, `MULTIPOINT((${place()}),(${place()}))`]),
    },
    trajectory: { ...shared, coords: `LINESTRING(${place()},${place()},${place()})` },
    cube: { ...shared, bbox: [west, south, west + 3, south + 3].join() },
    area: {
      ...shared,
      coords: `POLYGON((${west} ${south},${west + 3} ${south},${west} ${south + 3},${west} ${south}))`,
    },
  };
  return own[path.slice(path.lastIndexOf("/") + 1)] ?? {};
}

/** The query with some values replaced, removed or added. */
function disturbed(query: Record<string, string>, random: Random): Record<string, string> {
  for (const name of Object.keys(query)) {
    if (random.chance(0.1)) query[name] = random.of(hostileTexts);
    if (random.chance(0.03)) delete query[name];
  }
  if (random.chance(0.1)) query[random.of(["x", "f", "__proto__", "time"])] = random.of(hostileTexts);
  return query;
}

const pages = [
  "/",
  "/docs",
  "/tasks",
  "/map",
  "/favicon.ico",
  "/icon.svg",
  "/_next/image?url=%2Fa&w=1&q=1",
  "/_next/static/x.js",
  "/basemap/land.json",
  "/nothing",
  "//",
  "/%2e%2e/package.json",
];

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];

/** The request of a seed: an operation, mostly with an almost valid request. */
export function fuzzRequest(random: Random, world: World): FuzzRequest {
  if (random.chance(0.03))
    return {
      method: random.of(["GET", "HEAD", "POST"]),
      target: random.of(pages),
      headers: moreHeaders(random),
    };
  const operation = random.of(standardOperations);
  const named = random.chance(0.8)
    ? operation.path.replace("{collection_id}", random.of(edrCollections).id)
    : operation.path;
  const path = named.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOfParam(name, random, world));
  const method = random.chance(0.04) ? random.of(methods) : operation.method;
  const headers = { ...keyHeaders(random, world.keys), ...(random.chance(0.4) && moreHeaders(random)) };
  const query = queryFor(operation.path, random, world.now);
  const target = (random.chance(0.02) ? `${path}/` : path) + query;
  if (method === "GET" || method === "HEAD") return { method, target, headers };
  const { body, type } = bodyOf(operation.path, random, world.now);
  return { method, target, headers: { ...type, ...headers }, body };
}

function bodyOf(path: string, random: Random, now: number): { body?: Buffer; type?: Record<string, string> } {
  const type = { "content-type": "application/json" };
  if (random.chance(0.02)) return { type };
  const valid = bodyFor(path, random, now);
  const roll = random.below(10);
  if (roll < 3) return { body: Buffer.from(JSON.stringify(valid)), type };
  if (roll === 3) return { body: damage(JSON.stringify(valid), random), type };
  if (roll === 4) return { body: Buffer.from(JSON.stringify(hostileValue(random))), type };
  return { body: Buffer.from(JSON.stringify(mutate(valid, random))), type };
}
