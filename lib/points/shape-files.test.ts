import { describe, expect, it } from "vitest";
import { PointListError } from "./list-problem.ts";
import { readPointFile } from "./read-file.ts";

const read = (text: string) => readPointFile(text, { languages: ["en"] });
const kml = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="x"><Document>${inside}</Document></kml>`;
const facts = async (text: string) =>
  (await read(text)).map(({ kind, name, points }) => [
    kind,
    name,
    points.map(({ latitude, longitude, name = "" }) => `${latitude} ${longitude} ${name}`.trim()).join(", "),
  ]);

describe("KML", () => {
  it("has its lines as routes and its points as waypoints, with names, in any folder", async () => {
    const found = await facts(
      kml(`<Folder><Placemark><name>Ushant &amp; on</name><LineString><coordinates>
        -5.2,48.5,0  -6, 47.5,0
        </coordinates></LineString></Placemark></Folder>
        <Placemark><name><![CDATA[Buoy <1>]]></name><Point><coordinates>190,10</coordinates></Point></Placemark>
        <Placemark><gx:Track><gx:coord>1 2 0</gx:coord><gx:coord>3 4 0</gx:coord></gx:Track></Placemark>
        <Placemark><MultiGeometry><LineString><coordinates>0,0 1,1</coordinates></LineString><Point><coordinates>7,8</coordinates></Point></MultiGeometry></Placemark>
        <Placemark><Polygon/></Placemark>`),
    );
    expect(found).toEqual([
      ["route", "", "2 1, 4 3"],
      ["route", "", "0 0, 1 1"],
      ["route", "Ushant & on", "48.5 -5.2, 47.5 -6"],
      ["waypoints", "", "10 -170 Buoy <1>, 8 7"],
    ]);
  });

  it.each([
    [kml("<Placemark/>"), /neither a route/],
    [
      kml("<Placemark><LineString><coordinates>1,91 2,</coordinates></LineString></Placemark>"),
      /Route 1, point 1: the latitude.*\nRoute 1, point 2: the latitude/,
    ],
    [kml("<Placemark><Point><coordinates>1</coordinates></Point></Placemark>"), /latitude/],
    [kml("<Placemark><Point><coordinates/></Point></Placemark>"), /Waypoints, point 1/],
    [kml("<Placemark><Point><coordinates>0x10,1</coordinates></Point></Placemark>"), /longitude/],
    ["<kml><Document></kml>", /no sound KML/],
    ['<!DOCTYPE kml [<!ENTITY a "b">]><kml/>', /no sound KML|document type/],
  ])("%s is refused with its reason", async (text, reason) => {
    await expect(read(text)).rejects.toThrow(PointListError);
    await expect(read(text)).rejects.toThrow(reason);
  });

  it("names points without a position, and reads the others", async () => {
    const [route] = await read(
      kml("<Placemark><LineString><coordinates>1,2 3 5,6</coordinates></LineString></Placemark>"),
    );
    expect(route!.points.map(({ latitude }) => latitude)).toEqual([2, 6]);
    expect(route!.unread?.shown).toMatchObject([{ kind: "route", number: 1, point: 2 }]);
  });

  it("does not expand entities, and no depth of folders breaks it", async () => {
    const deep = `${"<Folder>".repeat(60)}<Placemark/>${"</Folder>".repeat(60)}`;
    await expect(read(kml(deep))).rejects.toThrow(/no sound KML/);
    const named = await facts(
      kml("<Placemark><name>&a;</name><Point><coordinates>1,2</coordinates></Point></Placemark>"),
    );
    expect(named).toEqual([["waypoints", "", "2 1 &a;"]]);
  });
});

describe("GeoJSON", () => {
  const feature = (geometry: unknown, name?: string) => ({ type: "Feature", properties: { name }, geometry });
  const line = (...coordinates: number[][]) => ({ type: "LineString", coordinates });

  it("has its lines as routes and its points as waypoints; a line that was cut at 180° is one again", async () => {
    const out = line([-5, 48, 12], [-6, 47]);
    const features = [
      feature(out, "Out"),
      feature({ type: "Point", coordinates: [1, 2] }, "Buoy"),
      feature(null),
      feature({ type: "Polygon", coordinates: [] }),
    ];
    expect(await facts(`\n${JSON.stringify({ type: "FeatureCollection", features })}`)).toEqual([
      ["route", "Out", "48 -5, 47 -6"],
      ["waypoints", "", "2 1 Buoy"],
    ]);
    expect(await facts(JSON.stringify(out))).toHaveLength(1);
    const parts = [line([170, 10], [180, 11]), line([-180, 11], [-170, 12])].map(
      ({ coordinates }) => coordinates,
    );
    const cut = { type: "MultiLineString", coordinates: parts };
    expect(await facts(JSON.stringify(cut))).toEqual([["route", "", "10 170, 12 -170"]]);
  });

  it.each([
    ["{", /no sound GeoJSON/],
    ['{"type":"Topology"}', /no sound GeoJSON/],
    ['{"type":"Point","coordinates":["5","6"]}', /latitude/],
    ['{"type":"LineString","coordinates":[]}', /neither a route/],
    ['{"type":"FeatureCollection","features":[]}', /neither a route/],
    ['{"type":"LineString","coordinates":[[null,2],[999,3]]}', /Route 1, point 2: the longitude/],
  ])("%s is refused with its reason", async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});
