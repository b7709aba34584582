import { expect, it } from "vitest";
import { fileRequest } from "#lib/contract/files.ts";
import { parseInstant } from "#lib/time.ts";
import { bodyOf, newDraft, problemOf, type ShownView } from "./file-draft.ts";

const shown: ShownView = {
  box: { south: 39.98, north: 60.01, west: 170, east: 190.04 },
  time: parseInstant("2026-11-23T06:10:00Z"),
  variables: ["wind"],
  storms: [],
  storm: null,
  route: [],
};

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
});
