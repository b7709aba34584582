import { describe, expect, it } from "vitest";
import { passageRequest } from "#lib/contract/passage.ts";
import type { PassageMeta } from "#lib/contract/passage-reply.ts";
import { readGpx } from "#lib/points/gpx.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { passageFormats } from "./files.ts";
import { knowledgeOf } from "./knowledge.ts";
import { march, type Passage } from "./march.ts";
import { questionOf } from "./question.ts";
import { planToWire } from "./to-wire.ts";
import { totalsOf } from "./totals.ts";
import { judge, judgePieces } from "./verdict.ts";

const start = parseInstant("2026-01-10T00:00:00Z");
const question = questionOf(
  passageRequest.parse({
    route: [
      { latitude: 40, longitude: 179.8 },
      { latitude: 40, longitude: -179.9 },
    ],
    departure: formatInstant(start),
    vessel: { kind: "fixed", speed_kt: 12 },
  }),
);
const weather = { Winds_10m_Intensity: 7.2, Winds_10m_Direction: 200, Gust_10m: null };

function passage(): Passage {
  const marching = march(question.legs, question.vessel, start);
  let step = marching.next();
  while (!step.done) step = marching.next(weather);
  return step.value;
}

function plan(withPieces: boolean) {
  const made = passage();
  const pieces = judgePieces(made.pieces, question.limits);
  return planToWire(
    {
      departure: start,
      passage: made,
      pieces,
      totals: totalsOf(pieces, question.limits),
      ...judge(made, pieces, []),
    },
    { limits: question.limits, miles: question.legs[0]!.miles, withPieces },
  );
}

const meta = {
  provenance: [{ variable: "wind", dataset: "Forecast", model: "GFS", run: "gfs.1" }],
  knowledge: knowledgeOf({ withStorms: false }),
} as unknown as PassageMeta;

const fileOf = (type: keyof typeof passageFormats, withPieces = true) => {
  const answer = { plans: [plan(withPieces)], meta, synthetic: true };
  return Buffer.concat([...passageFormats[type](answer)]).toString();
};

describe("files of passages", () => {
  it("are CSV with a row a piece, whose first row says what is not known", () => {
    const [header = "", first = "", ...others] = fileOf("text/csv").trimEnd().split("\r\n");
    expect(others).toHaveLength(plan(true).pieces!.length - 1);
    const names = header.split(",");
    const cells = first.split(",");
    const cell = (name: string) => cells[names.indexOf(name)];
    expect(cell("wind_kt")).toBe("14");
    expect(cell("gust_kt")).toBeUndefined();
    expect(cell("Winds_10m_Intensity [m/s]")).toBe("7.2");
    expect(cell("Gust_10m [m/s]")).toBe("");
    expect(cell("flags")).toBe("no_sea_data");
    expect(first).toContain("Not for navigation; synthetic");
    expect(first).toContain("Land is the models' own mask");
    expect(first).toContain("gfs.1");
  });

  it("are CSV with a row a departure where there are no pieces", () => {
    const [header = "", ...rows] = fileOf("text/csv", false).trimEnd().split("\r\n");
    expect(rows).toHaveLength(1);
    const cells = rows[0]!.split(",");
    expect(cells[header.split(",").indexOf("verdict")]).toBe(plan(false).verdict);
    expect(cells[header.split(",").indexOf("departure")]).toBe(formatInstant(start));
  });

  it("are GeoJSON of the places where the weather was read", () => {
    const { type, features, notice } = JSON.parse(fileOf("application/geo+json"));
    const { at, sog_kt } = plan(true).pieces![0]!;
    expect([type, features.length]).toEqual(["FeatureCollection", plan(true).pieces!.length]);
    expect(features[0].geometry.coordinates).toEqual([at.longitude, at.latitude]);
    expect(features[0].properties).toMatchObject({
      timestamp: at.timestamp,
      sog_kt,
      mode: "motor",
      Gust_10m: null,
    });
    expect(notice).toContain("Not for navigation");
  });

  it("are GPX that our own reader and others take for a route with its times, the weather in extensions", () => {
    const text = fileOf("application/gpx+xml");
    const [route] = readGpx(text);
    const { pieces, end } = plan(true);
    expect(route).toMatchObject({ kind: "route", timesLeftOut: false });
    expect(route!.points).toHaveLength(pieces!.length + 1);
    expect(route!.points.at(-1)).toMatchObject({ latitude: end.latitude, time: parseInstant(end.timestamp) });
    expect(text).toContain('wind_kt="14"');
    expect(text).not.toContain("null");
    const [waypoints] = readGpx(fileOf("application/gpx+xml", false));
    expect(waypoints).toMatchObject({ kind: "waypoints" });
    expect(waypoints!.points).toHaveLength(1);
  });
});
