import { decodeArrow, decodeFields, UnexpectedReplyError } from "@open-metocean/client";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { pointsOf, pointTable } from "#lib/table/table.ts";
import { parseInstant } from "#lib/time.ts";
import { smallMapField as field } from "#test/small-map-field.ts";

const { times } = field;
const origin = { provenance: [{ variable: "wind", dataset: "Forecast", model: "GFS", run: "gfs.1" }] };
const ARROW = "application/vnd.apache.arrow.stream";

const bytesOf = (pieces: Iterable<Uint8Array>) => new Uint8Array(Buffer.concat([...pieces]));
const binary = bytesOf(mapFormats["application/vnd.metocean.field+binary"](field, origin));

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    coordinates: { latitude: i / 1000, longitude: -i / 1000, timestamp: times[i % 2]! },
    conditions: { Winds_10m_Direction: i % 360, Winds_10m_Intensity: i % 7 === 0 ? null : i / 100 },
  }));
const arrowOf = (count: number) => bytesOf(pointFormats[ARROW](pointTable(pointsOf(entries(count)), origin)));

it("binary fields have exactly the values of JSON, with NaN in place of null", () => {
  const [first, second] = decodeFields(binary);
  expect([[...first!.latitude], [...first!.longitude], first!.time, second!.time]).toEqual([
    [-0.25, 0],
    [179.75, 180, 180.25],
    ...times.map(parseInstant),
  ]);
  expect([...first!.band("Winds_10m_Intensity")]).toEqual([
    12.34,
    12.35,
    Number.NaN,
    12.37,
    12.38,
    Number.NaN,
  ]);
  expect([...second!.band("Winds_10m_Direction")]).toEqual([179.4, 209.3, 239.2, 269.1, 299, 328.9]);
  expect(() => first!.band("Gust_10m")).toThrow("there are Winds_10m_Direction, Winds_10m_Intensity");
});

it("truncated binary fields are an error and nothing worse; a complete first step is an answer of one", () => {
  const whole = [0, 4 + new DataView(binary.buffer).getUint32(0, true)];
  for (let length = 0; length < binary.length; length++) {
    const decode = () => decodeFields(binary.subarray(0, length));
    if (whole.includes(length)) expect(decode()).toHaveLength(whole.indexOf(length));
    else expect(decode, String(length)).toThrow(UnexpectedReplyError);
  }
});

it.each([1, 1000, 40_000])(
  "an Arrow stream of %i rows has the values of the service, wherever its batches end",
  (count) => {
    const table = decodeArrow(arrowOf(count));
    const expected = entries(count);
    const names = ["latitude", "longitude", "timestamp", "Winds_10m_Direction", "Winds_10m_Intensity"];
    expect([table.rows, table.columns.map(({ name }) => name)]).toEqual([count, names]);
    const timesOf = Float64Array.from(expected, ({ coordinates }) => parseInstant(coordinates.timestamp));
    const winds = Float64Array.from(
      expected,
      ({ conditions }) => conditions.Winds_10m_Intensity ?? Number.NaN,
    );
    expect(table.column("timestamp")).toEqual(timesOf);
    expect(table.column("Winds_10m_Intensity")).toEqual(winds);
    expect(table.columns[4]?.metadata).toEqual({ unit: "m/s", title: "Wind speed" });
    const provenance = "wind: Forecast, GFS, run gfs.1";
    expect(table.metadata).toEqual({ notice: "Not for navigation", provenance });
    expect(() => table.column("Gust_10m")).toThrow("There is no column Gust_10m");
  },
);

const arrowByModel = (count: number) => {
  const models = ["best", "gfs", "ünïcode"];
  const results = entries(count).map(({ coordinates, conditions }, at) => ({
    coordinates: { ...coordinates, model: models[at % 3]! },
    conditions,
  }));
  return bytesOf(pointFormats[ARROW](pointTable(pointsOf(results), origin)));
};

it.each([1, 20_000])("an Arrow stream of %i rows by model names the model of each row", (count) => {
  const table = decodeArrow(arrowByModel(count));
  const expected = entries(count);
  expect(table.texts.model).toEqual(expected.map((_, at) => ["best", "gfs", "ünïcode"][at % 3]));
  expect(table.column("latitude")).toEqual(
    Float64Array.from(expected, ({ coordinates }) => coordinates.latitude),
  );
  expect(table.column("Winds_10m_Direction").at(-1)).toBe((count - 1) % 360);
  expect(table.columns.map(({ name }) => name)).not.toContain("model");
});

it("Arrow streams of boxes are read too, and from anywhere in a buffer", () => {
  const arrow = bytesOf(mapFormats[ARROW](field, origin));
  const shifted = new Uint8Array(arrow.length + 3);
  shifted.set(arrow, 3);
  expect(decodeArrow(shifted.subarray(3))).toMatchObject({ rows: 12 });
});

it.each([
  ["of numbers", arrowOf(20)],
  ["with texts", arrowByModel(20)],
])("damaged Arrow streams %s are an error, or other values, and nothing worse", (_name, whole) => {
  for (let length = 1; length < whole.length - 8; length += 7)
    expect(() => decodeArrow(whole.subarray(0, length)).column("Winds_10m_Intensity")).toThrow();
  const damaged = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(damaged, { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = whole.slice();
      for (const [at, value] of changes) bytes[at] = value;
      try {
        decodeArrow(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(UnexpectedReplyError);
      }
    }),
    { seed: 19, numRuns: 2000 },
  );
});
