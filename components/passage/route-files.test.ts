import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyPlan } from "#components/view-state/plan.ts";
import type { Plan } from "#lib/contract/passage.ts";
import { readPointFile } from "#lib/points/read-file.ts";
import { fileName, legNumbers, routeFiles } from "./route-files.ts";

const plan: Plan = {
  ...emptyPlan,
  name: "Suva & on",
  route: [
    { latitude: -18.1, longitude: 178.4, leg: "great_circle", name: 'Suva "Bay", <Fiji>' },
    { latitude: -15.12345, longitude: -170.5, leg: "rhumb" },
    { latitude: -15.12345, longitude: -170.5, leg: "great_circle", name: "=1+1" },
  ],
};

it.each(["gpx", "rtz", "rtz10", "rtzp", "geojson", "csv"] as const)(
  "a route that is saved as %s is read back",
  async (form) => {
    const place = fc.record({
      latitude: fc.integer({ min: -8_900_000, max: 8_900_000 }).map((one) => one / 1e5),
      longitude: fc.integer({ min: -17_999_999, max: 17_999_999 }).map((one) => one / 1e5),
      leg: fc.constantFrom("great_circle" as const, "rhumb" as const),
      name: fc.constantFrom("Brest", "a < b & c", "ラスパルマス", 'say "so", twice'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(place, { minLength: 2, maxLength: 12, selector: ({ latitude }) => latitude }),
        async (route) => {
          const text = routeFiles[form].write({ ...plan, route });
          const [list] = await readPointFile(text, { languages: ["en"] });
          const places = list!.points
            // Where the line was cut at 180° by a standard of its format.
            .filter(({ latitude, longitude }) =>
              route.some(
                (one) =>
                  Math.abs(one.latitude - latitude) < 1e-9 && Math.abs(one.longitude - longitude) < 1e-9,
              ),
            )
            .map(({ latitude, longitude }) => [latitude, longitude]);
          expect(places).toEqual(route.map(({ latitude, longitude }) => [latitude, longitude]));
          if (form.startsWith("rtz"))
            expect(list!.points.slice(1).map(({ leg }) => leg)).toEqual(route.slice(1).map(({ leg }) => leg));
          if (form !== "geojson")
            expect(list!.points.map(({ name }) => name)).toEqual(route.map(({ name }) => name));
        },
      ),
      { seed: 20_261_123, numRuns: 40 },
    );
  },
);

it("GPX is escaped", () => {
  const text = routeFiles.gpx.write(plan);
  expect(text).toContain("<rte><name>Suva &amp; on</name>");
  expect(text).toContain(
    '<rtept lat="-18.1" lon="178.4"><name>Suva &quot;Bay&quot;, &lt;Fiji&gt;</name></rtept>',
  );
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
  const [header, first, second, third] = routeFiles.csv.write(plan).split("\r\n");
  expect(header).toBe("name,latitude,longitude,leg,course_deg,distance_nm,total_nm");
  expect(first).toBe('"Suva ""Bay"", <Fiji>",-18.1,178.4,,,,0.00');
  const [, , , kind, course, miles, total] = second!.split(",");
  expect(kind).toBe("rhumb");
  expect(Number(course)).toBeGreaterThan(60);
  expect(Number(course)).toBeLessThan(80);
  expect(Number(miles)).toBeCloseTo(legNumbers(plan.route)[0]!.miles, 2);
  expect(total).toBe(miles);
  expect(third).toBe(`'=1+1,-15.12345,-170.5,great_circle,,0.00,${total}`);
});

it("a file of a plan without waypoints is sound, and its name one that any system takes", () => {
  for (const { write } of Object.values(routeFiles))
    expect(String(write(emptyPlan))).not.toContain("undefined");
  expect(fileName("Brest/Horta: 2", "gpx")).toBe("Brest-Horta- 2.gpx");
  expect(fileName("../..", "csv")).toBe("route.csv");
  expect(fileName("航海", "geojson")).toBe("航海.geojson");
});
