import { describe, expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { PointListError } from "./list-problem.ts";
import { readGpx } from "./route-files.ts";

const noon = Date.parse("2026-09-15T12:00:00Z") / 1000;
const gpx = (inside: string) =>
  `<?xml version="1.0"?><gpx creator="OpenCPN" xmlns="http://www.topografix.com/GPX/1/1" xmlns:opencpn="http://www.opencpn.org">${inside}</gpx>`;
const point = (tag: string, latitude: number, inside = "") =>
  `<${tag} lat="${latitude}" lon="-5">${inside}</${tag}>`;
const at = (time: string) => `<time>${time}</time>`;

it("lists routes, tracks and waypoints with names, points and length", () => {
  const found = readGpx(
    gpx(
      `${point("wpt", 1, "<name>Buoy</name>")}
      <rte><name>Brest &amp; Horta</name>${point("rtept", 48, "<name>A</name>")}${point("rtept", 49)}</rte>
      <rte>${point("rtept", 4)}</rte>
      <rte><name>empty</name></rte>
      <trk><name><![CDATA[Night <1>]]></name><trkseg>${point("trkpt", 2)}</trkseg><trkseg>${point("trkpt", 3)}</trkseg></trk>`,
    ),
  );
  expect(found.map(({ kind, name, points }) => [kind, name, points.map(({ latitude }) => latitude)])).toEqual(
    [
      ["route", "Brest & Horta", [48, 49]],
      ["route", "", [4]],
      ["track", "Night <1>", [2, 3]],
      ["waypoints", "", [1]],
    ],
  );
  expect(found[0]?.points[0]?.name).toBe("A");
  expect(found[0]?.km).toBeCloseTo(111.2, 1);
  expect(found[3]?.points[0]?.name).toBe("Buoy");
});

describe("the times of a route", () => {
  const route = (extensions: string, ...points: string[]) =>
    readGpx(gpx(`<rte><extensions>${extensions}</extensions>${points.join("")}</rte>`))[0]!;
  const [first, second, third] = [48, 49, 50].map((latitude) => point("rtept", latitude)) as [
    string,
    string,
    string,
  ];
  const speed = "<opencpn:planned_speed>6.00</opencpn:planned_speed>";
  const plan = `${speed}<opencpn:planned_departure>2026-09-15T12:00:00Z</opencpn:planned_departure>`;
  const leg = (properties: string) => `<extensions><opencpn:rte_properties ${properties}/></extensions>`;
  const later = leg('planned_speed="12.0" etd="2026-09-16T12:00:00"');
  const sailed = point("rtept", 49, at("2026-09-15T22:00:00Z"));
  const left = point("rtept", 48, at("2026-09-15T12:00:00Z"));
  const drawn = point("rtept", 49, at("2026-09-15T12:00:07Z"));

  // A degree is 60.04 n mi on the mean sphere.
  it.each([
    ["follow from OpenCPN's planned departure and speed", route(plan, first, second, third), [0, 10, 20]],
    ["follow from the speed of each leg", route(plan, first, point("rtept", 49, later), third), [0, 5, 34]],
    ["are asked for where only the speed is planned", route(speed, first, second), [undefined, undefined]],
    ["are those of its points where a vessel can be there then", route("", left, sailed), [0, 10]],
    ["are not those of drawing", route("", left, drawn), [undefined, undefined]],
  ])("%s", (_, { points }, hours) => {
    const found = points.map(({ time }) => time && Math.round((time - noon) / 360) / 10);
    expect(found).toEqual(hours);
  });

  it("are said to be left out, and the speed and departure of the plan are read", () => {
    expect([route("", left, sailed), route("", left, drawn)].map(({ timesLeftOut }) => timesLeftOut)).toEqual(
      [false, true],
    );
    expect(route(plan, first)).toMatchObject({ knots: 6, departure: noon });
    expect(route(speed, first).departure).toBeUndefined();
  });
});

it.each([
  "lat,lon\n1,2",
  gpx(""),
  "<gpx/>",
  gpx('<wpt lat="91" lon="0"/>'),
  gpx('<wpt lat="" lon=" "/>'),
  gpx('<wpt lat="0x10" lon="0"/>'),
  gpx('<wpt lat="1" lon="1e999"/>'),
  gpx("<wpt"),
  `<!DOCTYPE gpx [<!ENTITY a "aaaa">]>${gpx('<wpt lat="1" lon="2"><time>&a;</time></wpt>')}`,
  `<!DOCTYPE gpx SYSTEM "http://example.org/gpx.dtd">${gpx(point("wpt", 1))}`,
])("refuses %j", (text) => {
  expect(() => readGpx(text)).toThrow(PointListError);
});

it("names points without a position, and reads the others with their own times", () => {
  const etd = (day: number) =>
    `<extensions><opencpn:rte_properties etd="2026-09-${day}T12:00:00"/></extensions>`;
  const [route, waypoints] = readGpx(
    gpx(
      `<rte><name>Home</name><extensions><opencpn:planned_speed>6</opencpn:planned_speed><opencpn:planned_departure>2026-09-15T12:00:00Z</opencpn:planned_departure></extensions>
      ${point("rtept", 48)}<rtept lat="" lon="">${etd(20)}</rtept>${point("rtept", 49, etd(17))}${point("rtept", 50)}</rte><wpt lat=" 1 " lon="2"/><wpt lat="1" lon="0x10"/>`,
    ),
  );
  expect(route!.points.map(({ latitude }) => latitude)).toEqual([48, 49, 50]);
  // The departure of the omitted point does not pass to another point.
  expect(((route!.points[2]!.time ?? 0) - noon) / 3600).toBeCloseTo(48 + 10, 1);
  expect(route!.unread).toEqual({
    shown: [{ code: "gpxAngle", axis: "latitude", kind: "route", name: "Home", number: 1, point: 2 }],
    more: 0,
  });
  expect(waypoints).toMatchObject({
    points: [{ latitude: 1, longitude: 2 }],
    unread: { shown: [{ axis: "longitude", point: 2 }] },
  });
});

it("reads or refuses damaged files", () => {
  const whole = gpx(
    `<rte><name>a</name><extensions><opencpn:planned_speed>6</opencpn:planned_speed></extensions>${point("rtept", 48, "<name>&#65;&bad;</name>")}${point("rtept", 49)}</rte><trk><trkseg/></trk>`,
  );
  const random = seeded(5);
  for (let round = 0; round < 1000; round++) {
    const [from, length] = [Math.floor(random() * whole.length), Math.floor(20 * random())];
    const damaged =
      whole.slice(0, from) + (random() < 0.5 ? "" : whole.slice(0, length)) + whole.slice(from + length);
    try {
      for (const { points } of readGpx(damaged)) {
        expect(points.every(({ latitude }) => Math.abs(latitude) <= 90)).toBe(true);
      }
    } catch (error) {
      expect(error, damaged).toBeInstanceOf(PointListError);
    }
  }
});
