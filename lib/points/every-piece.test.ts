import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { PointListError } from "./list-problem.ts";
import { readPointFile } from "./read-file.ts";

interface Piece {
  latitude: number;
  longitude: number;
  /** The fault in the text of a point. */
  fault: "none" | "empty" | "words" | "beyond" | "hex" | "formula";
}

const piece = fc.record<Piece>({
  latitude: fc.integer({ min: -89, max: 89 }),
  longitude: fc.integer({ min: -179, max: 179 }),
  fault: fc.oneof(
    { weight: 5, arbitrary: fc.constant("none" as const) },
    { weight: 2, arbitrary: fc.constantFrom("empty", "words", "beyond", "hex", "formula") },
  ),
});

/** Latitude as text, with its fault. */
const written = ({ latitude, fault }: Piece) =>
  ({ none: String(latitude), empty: "", words: "n/a", beyond: "95.5", hex: "0x10", formula: "=A1" })[fault];

const kml = (coordinates: string, { prefix = "", before = "" } = {}) =>
  `<?xml version="1.0"?>${before}<${prefix}kml xmlns:k="http://www.opengis.net/kml/2.2"><${prefix}Placemark><${prefix}LineString><${prefix}coordinates>${coordinates}</${prefix}coordinates></${prefix}LineString></${prefix}Placemark></${prefix}kml>`;

const xlsx = (rows: string, sheets = '<sheet name="a" r:id="r1"/>', more: Record<string, string> = {}) =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        "xl/workbook.xml": `<workbook><sheets>${sheets}</sheets></workbook>`,
        "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
        ...more,
      }).map(([name, text]) => [name, strToU8(text)]),
    ),
  );

const text = (value: string | number) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

const writers: Record<string, (pieces: readonly Piece[]) => string | Uint8Array> = {
  CSV: (pieces) => ["lat,lon", ...pieces.map((one) => `${written(one)},${one.longitude}`)].join("\n"),
  "a workbook": (pieces) =>
    xlsx(
      [
        `<row>${text("lat")}${text("lon")}</row>`,
        ...pieces.map((one) =>
          one.fault === "formula"
            ? "<row><c><f>A1*2</f></c><c><f>B1*2</f></c></row>"
            : `<row>${text(written(one))}${text(one.longitude)}</row>`,
        ),
      ].join(""),
    ),
  "GPX route": (pieces) =>
    `<gpx><rte>${pieces.map((one) => `<rtept lat="${written(one)}" lon="${one.longitude}"/>`).join("")}</rte></gpx>`,
  "GPX track": (pieces) =>
    `<gpx><trk><trkseg/>${pieces.map((one) => `<trkseg><trkpt lat="${written(one)}" lon="${one.longitude}"/></trkseg>`).join("")}</trk></gpx>`,
  "GPX waypoints": (pieces) =>
    `<gpx>${pieces.map((one) => `<wpt lat="${written(one)}" lon="${one.longitude}"/>`).join("")}</gpx>`,
  RTZ: (pieces) =>
    `<route><waypoints>${pieces.map((one, id) => `<waypoint id="${id}"><position lat="${written(one)}" lon="${one.longitude}"/></waypoint>`).join("")}</waypoints></route>`,
  "KML line": (pieces) => kml(pieces.map((one) => `${one.longitude},${written(one) || "-"},0`).join(" ")),
  "KML line with prefix, a long comment before it, and commas between positions": (pieces) =>
    kml(pieces.map((one) => `${one.longitude},${written(one) || "-"},0`).join(" , "), {
      prefix: "k:",
      before: `<!-- ${"<kml> and words, ".repeat(300)} -->`,
    }),
  "KML points": (pieces) =>
    `<kml>${pieces.map((one) => `<Placemark><Point><coordinates>${one.longitude},${written(one)}</coordinates></Point></Placemark>`).join("")}</kml>`,
  "GeoJSON line": (pieces) =>
    JSON.stringify({
      type: "LineString",
      coordinates: pieces.map((one) => [one.longitude, one.fault === "none" ? one.latitude : written(one)]),
    }),
  "GeoJSON features": (pieces) =>
    JSON.stringify({
      type: "FeatureCollection",
      features: pieces.map((one) => ({
        type: "Feature",
        geometry:
          one.fault === "words"
            ? { type: "Circle" }
            : { type: "Point", coordinates: [one.longitude, one.fault === "none" ? one.latitude : null] },
      })),
    }),
};

/** Reads a list, and counts the points and the points named in problems. */
async function counted(content: string | Uint8Array) {
  try {
    const lists = await readPointFile(content, { languages: ["en"] });
    return {
      points: lists.flatMap(({ points }) => points),
      named: lists.reduce((sum, { unread }) => sum + (unread ? unread.shown.length + unread.more : 0), 0),
    };
  } catch (error) {
    if (!(error instanceof PointListError)) throw error;
    return { points: [], named: error.problems.shown.length + error.problems.more };
  }
}

describe("no piece of a list is dropped without a word", () => {
  it.each(Object.keys(writers))("%s: what is read and what is named are all", async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 30 }), async (pieces) => {
        const { points, named } = await counted(writers[format]!(pieces));
        const sound = pieces.filter(({ fault }) => fault === "none");
        expect(points.map(({ latitude, longitude }) => [latitude, longitude])).toEqual(
          sound.map(({ latitude, longitude }) => [latitude, longitude]),
        );
        expect(points.length + named).toBe(pieces.length);
      }),
      { seed: 8, numRuns: 60 },
    );
  });

  it("of KML: a stray comma, pairs without heights, several positions of a point, a line of one point", async () => {
    const places = async (content: string) =>
      (await counted(content)).points.map(({ latitude, longitude }) => [longitude, latitude]);
    expect(await places(kml("-5.2,48.5,0 -6.0,48.0,0, -7.0,47.0,0 -8.0,46.0,0"))).toEqual([
      [-5.2, 48.5],
      [-6, 48],
      [-7, 47],
      [-8, 46],
    ]);
    expect(await places(kml("1,2, 3,4 5,6"))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    // Nothing else tells pairs from positions with heights.
    expect(await counted(kml("0,50,1,51,2,52"))).toEqual({ points: [], named: 1 });
    expect(await counted(kml("7,8 9,10,0 1,2,3,4,5,6"))).toMatchObject({ points: [{}, {}], named: 1 });
    expect(await places(kml("1,2,3,4"))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await counted(kml("1,2,0 3,4,0,5 6,7,0"))).toMatchObject({ points: [{}, {}], named: 1 });
    expect(
      await places("<kml><Placemark><Point><coordinates>1,2 3,4</coordinates></Point></Placemark></kml>"),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await places(kml("1,2"))).toEqual([[1, 2]]);
  });

  it("names areas, and refuses what is nested too deeply to be looked into", async () => {
    const point = '{"type":"Point","coordinates":[1,2]}';
    const area = '{"type":"MultiPolygon","coordinates":[[],[]]}';
    const [first] = await readPointFile(`{"type":"GeometryCollection","geometries":[${area},${point}]}`, {
      languages: ["en"],
    });
    expect(first).toMatchObject({ points: [{}], unread: { shown: [{ code: "areas", count: 2 }], more: 0 } });
    const deep = `<kml>${"<Folder>".repeat(60)}<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>${"</Folder>".repeat(60)}</kml>`;
    await expect(readPointFile(deep, { languages: ["en"] })).rejects.toThrow(PointListError);
  });

  it("of a workbook: the first sheet that can be seen", async () => {
    const rows = `<row>${text("lat")}${text("lon")}</row><row>${text(1)}${text(2)}</row>`;
    const book = xlsx(
      "<row><c><v>9</v></c></row>",
      '<sheet name="lists" state="hidden" r:id="r1"/><sheet name="route" r:id="r2"/>',
      {
        "xl/_rels/workbook.xml.rels":
          '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>',
        "xl/worksheets/sheet2.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      },
    );
    expect((await counted(book)).points).toMatchObject([{ latitude: 1, longitude: 2 }]);
  });
});
