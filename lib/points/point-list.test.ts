import { describe, expect, it } from "vitest";
import { readCsv } from "./csv.ts";
import { readGpx } from "./gpx.ts";
import { PointListError, readInstant } from "./point-list.ts";

const noon = Date.parse("2026-09-15T12:00:00Z") / 1000;

describe("a CSV list", () => {
  it.each([
    ["commas", "latitude,longitude,timestamp\n48.5,-5.25,2026-09-15T12:00:00Z\n"],
    ["short names and a byte-order mark", "\uFEFFlat,lon,time\r\n48.5,-5.25,2026-09-15 12:00\r\n\r\n"],
    [
      "semicolons with decimal commas",
      "name;Lat (deg);Lon (deg);ETA\nBrest;48,5;-5,25;2026-09-15T14:00:00+02:00",
    ],
    ["tabs and decimal commas", "lat\tlon\ttime\n48,5\t-5,25\t2026-09-15T12:00Z"],
    ["cells beyond the names that are empty", "lat,lon,time\n48.5,-5.25,2026-09-15T12:00Z,,"],
    ["quoted decimal commas", 'lat,lon,time\n"48,5","-5,25",2026-09-15T12:00Z'],
    ["tabs and comments", "# plotter\nlon\tlat\ttime\n354.75\t48.5\t2026-09-15T12:00Z"],
    ["quotes", 'name,lat,lon,time\n"Brest, ""roads""",48.5,−5.25,2026-09-15T12:00:00.2Z'],
  ])("is read with %s", (_how, text) => {
    expect(readCsv(text)).toEqual([{ latitude: 48.5, longitude: -5.25, time: noon }]);
  });

  it("may have no times", () => {
    expect(readCsv("lat,lon\n1,2\n3,4")).toEqual([
      { latitude: 1, longitude: 2, time: undefined },
      { latitude: 3, longitude: 4, time: undefined },
    ]);
  });

  it("is refused as a whole, with the lines that are wrong", () => {
    expect(() => readCsv("lat,lon,time\n91,0,2026-09-15\n0,0,soon\n0,0,2026-09-15\n,,\n")).toThrow(
      /^Line 2: the latitude.*\nLine 3: “soon” is no time.*\nLine 5: the latitude/,
    );
    for (const text of ["", "a,b\n1,2", "lat,lon\n"]) expect(() => readCsv(text)).toThrow(PointListError);
  });

  it("is refused where decimal commas are mixed with separating commas", () => {
    expect(() => readCsv("lat,lon\n48,5,-5,25\n")).toThrow(
      "Line 2: it has more cells than the first line has names (decimal commas need semicolons or tabs between the cells).",
    );
  });

  it("names at most five lines, and how many more there are", () => {
    expect(() => readCsv(`lat,lon\n${"x,y\n".repeat(9)}`)).toThrow(/… and 4 more\.$/);
  });
});

describe("a GPX list", () => {
  const gpx = (inside: string) =>
    `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1">${inside}</gpx>`;

  it("is the route, else the track, else the waypoints", () => {
    const point = (tag: string, latitude: number) =>
      `<${tag} lat="${latitude}" lon="-5.25"><time>2026-09-15T12:00:00Z</time></${tag}>`;
    const [waypoint, track, route] = [
      point("wpt", 1),
      `<trk><trkseg>${point("trkpt", 2)}</trkseg><trkseg>${point("trkpt", 3)}</trkseg></trk>`,
      `<rte><name>x</name>${point("rtept", 4)}</rte>`,
    ];
    const latitudes = (inside: string) => readGpx(gpx(inside)).map(({ latitude }) => latitude);
    expect(latitudes(waypoint + track + route)).toEqual([4]);
    expect(latitudes(waypoint + track)).toEqual([2, 3]);
    expect(latitudes(waypoint)).toEqual([1]);
    expect(readGpx(gpx(waypoint))[0]!.time).toBe(noon);
  });

  it("is refused for another format, and for entities", () => {
    for (const text of [
      "",
      "lat,lon\n1,2",
      "<kml/>",
      gpx(""),
      gpx('<wpt lat="91" lon="0"/>'),
      gpx('<wpt lat="1"/>'),
      gpx("<wpt"),
      `<!DOCTYPE gpx [<!ENTITY a "aaaa">]>${gpx('<wpt lat="1" lon="2"><time>&a;</time></wpt>')}`,
    ]) {
      expect(() => readGpx(text), text).toThrow(PointListError);
    }
  });
});

it.each(["2026-02-30T00:00:00Z", "15/09/2026", "12:00", "", "2026-09-15T25:00Z"])(
  "refuses the timestamp %s",
  (text) => {
    expect(readInstant(text)).toBeNaN();
  },
);
