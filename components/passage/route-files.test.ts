import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyPlan } from "#components/view-state/plan.ts";
import type { Plan } from "#lib/contract/passage.ts";
import { readPointFile } from "#lib/points/read-file.ts";
import { fileName, legNumbers, routeFiles } from "./route-files.ts";
import { importRoutes } from "./route-import.ts";

const plan: Plan = {
  ...emptyPlan,
  name: "Suva & on",
  route: [
    { latitude: -18.1, longitude: 178.4, leg: "great_circle", name: 'Suva "Bay", <Fiji>' },
    { latitude: -15.12345, longitude: -170.5, leg: "rhumb" },
    { latitude: -15.12345, longitude: -170.5, leg: "great_circle", name: "=1+1" },
  ],
};

const place = fc.record({
  latitude: fc.integer({ min: -8_900_000, max: 8_900_000 }).map((one) => one / 1e5),
  longitude: fc.integer({ min: -17_999_999, max: 17_999_999 }).map((one) => one / 1e5),
  leg: fc.constantFrom("great_circle" as const, "rhumb" as const),
  name: fc.constantFrom("Brest", "a < b & c", "ラスパルマス", 'say "so", twice'),
});
const routes = fc.uniqueArray(place, { minLength: 2, maxLength: 12, selector: ({ latitude }) => latitude });

it.each(["gpx", "rtz", "rtz10", "rtzp", "geojson", "csv"] as const)(
  "a route that is saved as %s is read back",
  async (form) => {
    const keeps = { leg: form.startsWith("rtz"), name: form !== "geojson" };
    await fc.assert(
      fc.asyncProperty(routes, async (route) => {
        const text = routeFiles[form].write({ ...plan, route });
        const [list] = await readPointFile(text, { languages: ["en"] });
        // The standard cuts the line at 180°; the points of the cut are not waypoints.
        const isOfRoute = ({ latitude }: { latitude: number }) =>
          route.some((one) => Math.abs(one.latitude - latitude) < 1e-9);
        const points = list!.points.filter(isOfRoute);
        expect(points.map(({ latitude, longitude }) => [latitude, longitude])).toEqual(
          route.map(({ latitude, longitude }) => [latitude, longitude]),
        );
        if (keeps.leg)
          expect(points.slice(1).map(({ leg }) => leg)).toEqual(route.slice(1).map(({ leg }) => leg));
        if (keeps.name) expect(points.map(({ name }) => name)).toEqual(route.map(({ name }) => name));
      }),
      { seed: 20_261_123, numRuns: 40 },
    );
  },
);

async function listsOf(content: string) {
  const reply = await importRoutes({ content, languages: ["en"] });
  if ("problems" in reply) throw new Error(reply.problems.shown.map(({ code }) => code).join());
  return reply.lists;
}
const gpx = (inside: string) => `<gpx xmlns="x" xmlns:o="y">${inside}</gpx>`;

it("a gate goes with its waypoint in GPX, as an extension, and one that is none of ours is passed over", async () => {
  const gates = [
    {
      kind: "height",
      station: "ticon:saint_malo",
      name: 'Saint "Malo"',
      min_m: 4.5,
      datum: "LAT",
      wait: false,
    },
    { kind: "slack", station: "noaa:LIS1001", within_h: 0.5, wait: true },
    { kind: "high_water", station: "ticon:brest", from_h: -2, to_h: 1.5, wait: false },
  ] as const;
  const route = plan.route.map((waypoint, index) => ({ ...waypoint, gate: gates[index]! }));
  const text = routeFiles.gpx.write({ ...plan, route });
  const read = async (content: string) => (await listsOf(content))[0]!.waypoints.map(({ gate }) => gate);
  expect(await read(text)).toEqual(gates);
  // The page resets the datum to undefined when the station changes.
  const reset = { ...route[0]!, gate: { ...gates[0], datum: undefined } };
  const [gate] = await read(routeFiles.gpx.write({ ...plan, route: [reset, ...route.slice(1)] }));
  expect(gate).not.toHaveProperty("datum");
  expect(await read(text.replace('min_m="4.5"', 'min_m="high"'))).toEqual([undefined, ...gates.slice(1)]);
});

it("a gate is lost neither to another program's element, nor where points are left out, nor without a word", async () => {
  const read = async (extension: (at: number) => string, count = 2) => {
    const points = Array.from(
      { length: count },
      (_, at) => `<trkpt lat="${at / 1000}" lon="2"><extensions>${extension(at)}</extensions></trkpt>`,
    );
    return (await listsOf(gpx(`<trk><trkseg>${points.join("")}</trkseg></trk>`.repeat(2))))[1]!;
  };
  const slack = (within: string) =>
    `<gate kind="slack" station="noaa:LIS1001" within_h="${within}" wait="true"/>`;
  const gate = { kind: "slack", station: "noaa:LIS1001", within_h: 0.5, wait: true };
  for (const foreign of [
    '<o:gate a="1"/><gate a="2"/>',
    '<o:gate a="1"><b><c>1</c></b></o:gate>',
    "<gate>open</gate><gate/>",
  ]) {
    const alone = await read(() => foreign);
    expect([alone.unread, alone.waypoints[0]]).toEqual([undefined, expect.not.objectContaining({ gate })]);
    expect((await read(() => foreign + slack("0.5"))).waypoints).toMatchObject([{ gate }, { gate }]);
  }
  const straight = await read((at) => (at === 77 ? slack("0.5") : ""), 300);
  expect(straight.waypoints).toMatchObject([{}, { latitude: 0.077, gate }, {}]);
  expect((await read((at) => (at === 1 ? slack("long") : ""))).unread).toEqual({
    shown: [{ code: "gpxGate", kind: "track", name: undefined, number: 2, point: 2 }],
    more: 0,
  });
});

it("GeoJSON is cut at 180°, as its standard requires", () => {
  const { features } = JSON.parse(routeFiles.geojson.write(plan)) as GeoJSON.FeatureCollection;
  const { geometry, properties } = features[0]!;
  expect(geometry.type).toBe("MultiLineString");
  expect(properties).toMatchObject({
    legs: ["rhumb", "great_circle"],
    waypoints: [plan.route[0]!.name, null, "=1+1"],
  });
  for (const part of (geometry as GeoJSON.MultiLineString).coordinates)
    for (const [longitude] of part) expect(Math.abs(longitude!)).toBeLessThanOrEqual(180);
});

it("CSV has course and distance of each leg, none of a leg of no length, and no formulas", () => {
  const miles = legNumbers(plan.route)[0]!.miles.toFixed(2);
  const [header, first, second, third] = routeFiles.csv.write(plan).split("\r\n");
  expect(header).toBe("name,latitude,longitude,leg,course_deg,distance_nm,total_nm");
  expect(first).toBe('"Suva ""Bay"", <Fiji>",-18.1,178.4,,,,0.00');
  expect(second).toMatch(new RegExp(`,rhumb,7\\d\\.\\d,${miles},${miles}$`));
  expect(third).toBe(`'=1+1,-15.12345,-170.5,great_circle,,0.00,${miles}`);
});

it("a file of a plan without waypoints is sound, and its name one that any system takes", () => {
  for (const { write } of Object.values(routeFiles))
    expect(String(write(emptyPlan))).not.toContain("undefined");
  expect(fileName("Brest/Horta: 2", "gpx")).toBe("Brest-Horta- 2.gpx");
  expect(fileName("../..", "csv")).toBe("route.csv");
  expect(fileName("航海", "geojson")).toBe("航海.geojson");
});

it("a route of a file becomes waypoints with names, its departure and its speed", async () => {
  const point = (latitude: number, name: string) =>
    `<rtept lat="${latitude}" lon="-5"><name>${name}</name></rtept>`;
  const lists = await listsOf(
    gpx(
      `<rte><name>Home</name><extensions><o:planned_speed>6.5</o:planned_speed><o:planned_departure>2026-09-16T06:00:00Z</o:planned_departure></extensions>${point(48.123456, "Brest")}${point(47, "")}</rte>`,
    ),
  );
  expect(lists).toEqual([
    {
      kind: "route",
      name: "Home",
      waypoints: [
        { latitude: 48.12346, longitude: -5, leg: "great_circle", name: "Brest" },
        { latitude: 47, longitude: -5, leg: "great_circle" },
      ],
      departure: "2026-09-16T06:00:00Z",
      knots: 6.5,
    },
  ]);
});

it("a track becomes few waypoints, near its line, and says how near", async () => {
  const fix = (step: number) => {
    const [latitude, longitude] =
      step < 1000 ? [step / 100, Math.sin(step) / 1e4] : [10, (step - 1000) / 100];
    return `<trkpt lat="${latitude}" lon="${longitude}"/>`;
  };
  const points = Array.from({ length: 2000 }, (_, step) => fix(step)).join("");
  const [list] = await listsOf(gpx(`<trk><trkseg>${points}</trkseg></trk>`));
  expect(list).toMatchObject({ kind: "track", from: 2000 });
  expect(list!.within).toBeLessThan(1);
  expect(list!.waypoints.length).toBeLessThanOrEqual(100);
  // The corner of the track must be among the waypoints.
  expect(list!.waypoints.some(({ latitude, longitude }) => latitude === 10 && longitude < 0.05)).toBe(true);
});

it("points that cannot be read are named, for the person to decide; what is no list of points is refused", async () => {
  const left = await listsOf(
    gpx('<rte><rtept lat="1" lon="2"/><rtept lat="" lon=""/><rtept lat="3" lon="4"/></rte>'),
  );
  expect(left).toMatchObject([
    { unread: { shown: [{ code: "gpxAngle", point: 2 }], more: 0 }, waypoints: [{}, {}] },
  ]);
  expect(await listsOf("name,lat,lon\nA,10,20\nB,x,20\nC,11,181")).toMatchObject([
    {
      kind: "table",
      unread: { shown: [{ code: "wrongAngle", line: 3 }] },
      waypoints: [{ name: "A" }, { name: "C", longitude: -179 }],
    },
  ]);
  await expect(listsOf("<html></html>")).rejects.toThrow("noGpx");
  await expect(listsOf("{}")).rejects.toThrow("unsoundGeojson");
});
