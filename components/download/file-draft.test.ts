import { afterEach, expect, it, vi } from "vitest";
import type { FileBody } from "#components/api-client/services.ts";
import { edgesAround } from "#components/fields/box-edges.ts";
import { firstProblem } from "#components/fields/contract-resolver.ts";
import { fileRequest } from "#lib/contract/files.ts";
import { parseInstant } from "#lib/time.ts";
import { fetchFile } from "./download-foot.tsx";
import { bodyOf, type Draft, draftCheck, newDraft, type ShownView, seriesAt } from "./file-draft.ts";

const shown: ShownView = {
  box: { south: 39.98, north: 60.01, west: 170, east: 190.04 },
  point: { latitude: 48.38, longitude: -4.5 },
  saved: [],
  time: parseInstant("2026-11-23T06:10:00Z"),
  last: parseInstant("2026-12-03T06:10:00Z"),
  variables: ["wind"],
  storms: [],
  storm: null,
  route: [],
};

/** Why no file is possible; undefined if one is. */
const problemOf = (draft: Draft, view: ShownView) =>
  firstProblem(draftCheck(view, (problem) => problem)(draft).errors);

it("asks for what the map shows, outward to tenths of a degree, across 180°, in a form that the service takes", () => {
  const body = bodyOf(newDraft, shown);
  expect(fileRequest.safeParse(body).success).toBe(true);
  expect(body).toEqual({
    area: { type: "box", latitude: [39.9, 60.1], longitude: [170, -169.9] },
    variables: ["wind"],
    from: "2026-11-23T06:00:00Z",
    to: "2026-11-25T06:00:00Z",
    step_hours: 3,
    stride: 1,
    format: "grib2",
  });
});

it("asks for a series of the days ahead at the sampled place, at a typed one, or at saved ones", () => {
  const series = seriesAt("point", { ...newDraft, variables: ["cloud"], format: "grib2" });
  const body = bodyOf(series, shown);
  expect(fileRequest.safeParse(body).success).toBe(true);
  expect(body).toEqual({
    area: { type: "points", points: [shown.point] },
    variables: ["current", "wind", "gust", "wave", "pressure"],
    from: "2026-11-23T00:00:00Z",
    to: "2026-12-03T00:00:00Z",
    step_hours: 1,
    format: "csv",
  });
  expect(bodyOf({ ...series, point: "48 30N 005 10W" }, shown).area).toEqual({
    type: "points",
    points: [{ latitude: 48.5, longitude: expect.closeTo(-5.16667, 4) }],
  });
  const saved = [0, 1, 2].map((latitude) => ({ latitude, longitude: 0, name: "Fix" }));
  const places = { ...series, area: "places" as const, format: "xlsx" as const, places: ["0 0", "2 0"] };
  expect(bodyOf(places, { ...shown, saved })).toMatchObject({
    area: { points: [{ latitude: 0 }, { latitude: 2 }] },
    format: "xlsx",
  });
  // From the table of saved places, all of them are used whatever was selected before.
  const all = bodyOf(seriesAt("places", { ...places, point: "48 30N 005 10W" }), { ...shown, saved });
  expect(all).toMatchObject({ area: { points: saved.map(({ latitude }) => ({ latitude })) }, format: "csv" });
  const many = Array.from({ length: 101 }, (_, at) => ({ latitude: at / 2, longitude: 0, name: "Fix" }));
  const problem = (part: Partial<Draft>, view = shown) => problemOf({ ...series, ...part }, view);
  expect(problem({})).toBeUndefined();
  expect(problem({}, { ...shown, point: null })).toBe("point");
  expect(problem({ point: "nowhere" })).toBe("point");
  expect(problem({ area: "places" })).toBe("places");
  expect(problem({ area: "places" }, { ...shown, saved: many })).toBe("manyPlaces");
  expect(problem({ area: "places" }, { ...shown, saved: many.slice(1) })).toBe("tooMany");
  expect(problem({ area: "places", step: 3 }, { ...shown, saved: many.slice(1) })).toBeUndefined();
});

it("a sea that is found has its own box, another place the waters around it", () => {
  const bounds = { south: 43, west: -10, north: 48.5, east: -1 };
  expect(edgesAround({ place: shown.point!, bounds })).toEqual({
    south: "43",
    west: "-10",
    north: "48.5",
    east: "-1",
  });
  expect(edgesAround({ place: { latitude: 0, longitude: 179.5 } })).toEqual({
    south: "-1",
    west: "178.5",
    north: "1",
    east: "-179.5",
  });
});

it("says why there can be no file", () => {
  const of = (part: Partial<typeof newDraft>, view = shown) => problemOf({ ...newDraft, ...part }, view);
  expect(of({})).toBeUndefined();
  expect(of({}, { ...shown, box: undefined })).toBe("view");
  expect(of({ area: "box", edges: { south: "5", north: "4", west: "0", east: "1" } })).toBe("latitudes");
  expect(of({ area: "box", edges: { south: "", north: "4", west: "0", east: "1" } })).toBe("latitudes");
  expect(of({ area: "box", edges: { south: "3", north: "4", west: "0", east: "181" } })).toBe("longitudes");
  expect(of({ area: "storm" })).toBe("storm");
  expect(of({ area: "route" })).toBe("route");
  expect(of({ variables: [] })).toBe("variables");
  expect(of({ to: shown.time - 7200 })).toBe("times");
  expect(of({ to: shown.time + 40 * 86_400 })).toBe("long");
  const storms = [{ id: "a", provider: "jtwc" as const, title: "A" }];
  expect(of({ area: "storm" }, { ...shown, storms })).toBeUndefined();
  for (const radius of ["0", "1001", "x", ""])
    expect(of({ area: "storm", radius }, { ...shown, storms })).toBe("miles");
  expect(of({ area: "route", halfWidth: "-1" }, { ...shown, route: [shown.point!] })).toBe("miles");
});

afterEach(() => vi.unstubAllGlobals());

const body: FileBody = {
  area: { type: "box", latitude: [0, 1], longitude: [0, 1] },
  variables: ["wind"],
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-01T00:00:00Z",
};

function fetched(reply: Response) {
  vi.stubGlobal("fetch", async () => reply);
  const received: number[] = [];
  const file = fetchFile("key", body, new AbortController().signal, (bytes) => received.push(bytes));
  return { file, received };
}

it("a file arrives whole, and says how much has come", async () => {
  const type = "application/x-grib2";
  const { file, received } = fetched(new Response("GRIB…7777", { headers: { "content-type": type } }));
  const blob = await file;
  expect([await blob.text(), blob.type]).toEqual(["GRIB…7777", type]);
  expect(received.at(-1)).toBe(blob.size);
});

it.each([
  ["a failure", Response.json({ task_id: "a", status: "FAILURE", error: "Out" }), "Out (task a)"],
  [
    "the page of a captive portal",
    new Response("<html>", { headers: { "content-type": "text/html" } }),
    "does not come from the service",
  ],
])("%s is an error, and never saved as a file", async (_, reply, message) => {
  await expect(fetched(reply).file).rejects.toMatchObject({
    name: "ServiceError",
    message: expect.stringContaining(message),
  });
});
