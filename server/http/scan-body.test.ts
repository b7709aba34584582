import { expect, it } from "vitest";
import { bodyBounds, CONTAINER_WEIGHT, MAX_DEPTH, NEW_KEY_WEIGHT } from "#lib/contract/body-shape.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { scanBody } from "./scan-body.ts";
import { bodyReader } from "./validation.ts";

const MAX_POINTS = 100;
const schema = pointRequest(MAX_POINTS);
const bounds = bodyBounds(schema);
const { extras } = bounds;

const point = { latitude: 1, longitude: -2.5, timestamp: "2026-01-01T00:00:00Z" };
const points = (count: number) => Array.from({ length: count }, () => point);
const scan = (text: string, within = bounds) => {
  const slices = scanBody(Buffer.from(text), within);
  for (let step = slices.next(); ; step = slices.next()) if (step.done) return step.value;
};
/** A valid body with one field that the schema does not have. */
const beside = (unknown: string) =>
  `{"unknown":${unknown},${JSON.stringify({ points: points(1), variables: ["wind"] }).slice(1)}`;
const list = (count: number, entry: string) => `[${new Array(Math.floor(count)).fill(entry).join()}]`;

/** New keys of `beside`: five of the body, three of its point. */
const besideWeight = 8 * NEW_KEY_WEIGHT + CONTAINER_WEIGHT;

it("passes the largest valid body, with white space, a byte order mark and escaped keys", () => {
  const body = { points: points(MAX_POINTS), variables: ["wind"], wind_height: 10, task_name: '"]},{[\\' };
  const text = JSON.stringify(body, null, "\t");
  expect(scan(text)).toBeUndefined();
  expect(scan(`\ufeff${text}`)).toBeUndefined();
  expect(scan(text.replace('"points"', '"p\\u006fints"'))).toBeUndefined();
});

it("counts the entries of a list against the limit of its schema", () => {
  for (const key of ['"points"', '"p\\u006fints"']) {
    const text = JSON.stringify({ points: points(MAX_POINTS + 7), variables: ["wind"] });
    expect(scan(text.replace('"points"', key))).toEqual({ kind: "list", path: ["points"], length: 107 });
  }
});

it("counts a list again where its key is repeated, since each of them is made", () => {
  const half = JSON.stringify(points(MAX_POINTS / 2 + 1));
  expect(scan(`{"points":${half},"points":${half}}`)).toMatchObject({ kind: "list", path: ["points"] });
});

it("names the place of a list inside lists", () => {
  const box = { latitude: new Array(2000).fill(1), longitude: [1, 2], timestamp: "2026-01-01T00:00:00Z" };
  const body = JSON.stringify({ bounding_boxes: [box], variable: "wind" });
  expect(scan(body, bodyBounds(requests.MapRequest))).toEqual({
    kind: "list",
    path: ["bounding_boxes", 0, "latitude"],
    length: 2000,
  });
});

it.each([
  ["numbers", (weight: number) => list(weight, "1")],
  ["texts", (weight: number) => list(weight, '"\\"]"')],
  ["objects", (weight: number) => list(Math.ceil(weight / CONTAINER_WEIGHT), "{}")],
  ["lists", (weight: number) => list(Math.ceil(weight / CONTAINER_WEIGHT), "[]")],
  [
    "keys",
    (weight: number) =>
      `{${Array.from({ length: Math.ceil(weight / (NEW_KEY_WEIGHT + 1)) }, (_, i) => `"k${i}":0`)}}`,
  ],
])("bounds the %s that the schema does not name", (_what, make) => {
  expect(scan(beside(make(0.95 * (extras - besideWeight))))).toBeUndefined();
  expect(scan(beside(make(1.05 * extras)))).toEqual({ kind: "extras" });
});

it("counts an order of keys as new, since the engine makes a class of objects for each", () => {
  const orders = Array.from({ length: 3000 }, (_, i) => {
    const keys = Array.from(i.toString(2).padStart(12, "0"), (bit, at) =>
      bit === "1" ? `b${at}` : `a${at}`,
    );
    return `{${keys.map((key) => `"${key}":0`).join()}}`;
  });
  expect(scan(beside(`[${orders.join()}]`))).toEqual({ kind: "extras" });
  expect(scan(beside(list(3000, orders[0]!)))).toBeUndefined();
});

it("counts what stands in place of a number, a text or a list", () => {
  const values = list(extras, "0");
  for (const key of ["latitude", "longitude", "timestamp"]) {
    expect(scan(`{"points":[{"${key}":${values}}]}`)).toEqual({ kind: "extras" });
  }
  expect(scan(`{"wind_height":${values}}`)).toEqual({ kind: "extras" });
  expect(scan(`{"points":{"points":${values}}}`)).toEqual({ kind: "extras" });
  expect(scan(`{"variables":${values}}`)).toEqual({ kind: "extras" });
  expect(scan(`{${'"points":{},'.repeat(extras / CONTAINER_WEIGHT)}"points":[]}`)).toEqual({
    kind: "extras",
  });
});

it("bounds the depth", () => {
  expect(scan(beside("[".repeat(MAX_DEPTH - 1) + "]".repeat(MAX_DEPTH - 1)))).toBeUndefined();
  expect(scan("[".repeat(1e6))).toEqual({ kind: "depth", position: MAX_DEPTH });
});

it("ends at any text that is not JSON", () => {
  for (const text of ["", "{", '"', '"\\', "}}}]]]", ",,,,", ":", "\ufeff", '{"a":"\\', "[}", "{]"]) {
    expect(scan(text)).toBeUndefined();
  }
});

it("refuses a list that is too long as the schema does, without making it", async () => {
  const read = bodyReader(pointRequest(10_000));
  const body = (count: number) => Buffer.from(JSON.stringify({ points: points(count), variables: ["wind"] }));
  const refused = await Promise.resolve(read(body(10_001), 0)).catch((error) => JSON.parse(error.reply.body));
  expect(refused).toEqual({
    detail: [
      {
        type: "too_long",
        loc: ["body", "points"],
        msg: "List should have at most 10000 items: send up to 200000 to /MetOcean/async",
        ctx: { field_type: "List", max_length: 10_000, actual_length: 10_001 },
      },
    ],
  });
  expect(await read(body(10_000), 0)).toMatchObject({ wind_height: 10 });
});
