import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { PointListError } from "./list-problem.ts";
import { readPointFile } from "./read-file.ts";

const read = async (content: string | Uint8Array) =>
  (await readPointFile(content, { languages: ["en"] }))[0]!;
const at = (text: string) => parseInstant(text);

/**
 * A route with legs of both kinds: one by the default, and one at the first waypoint, where it has no effect.
 */
const route = (version: string, element: string, schedules = "") => `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<route xmlns="http://www.cirm.org/RTZ/${version.replace(".", "/")}" version="${version}">
  <routeInfo routeName="Out &amp; home"/>
  <waypoints>
    <defaultWaypoint radius="0.5"><leg geometryType="Orthodrome"/></defaultWaypoint>
    <waypoint id="7" revision="0" name="Quay"><position lat="48.0" lon="-5.0"/><leg geometryType="Loxodrome"/></waypoint>
    <waypoint id="3" revision="1"><position lat="49.0" lon="-5.0"/><leg geometryType="Loxodrome" speedMax="12"/>
      <extensions><extension manufacturer="a" name="b"><waypoint id="9"/></extension></extensions></waypoint>
    <waypoint id="5" revision="0" name="Roads"><position lat="50.0" lon="-5.0"/></waypoint>
  </waypoints>
  ${schedules.replaceAll("scheduleElement", element)}
</route>`;

it.each([
  ["1.0", "sheduleElement"],
  ["1.1", "scheduleElement"],
  ["1.2", "scheduleElement"],
])(
  "version %s is read with its kinds of legs, times by hand and calculated ones",
  async (version, element) => {
    const list = await read(
      route(
        version,
        element,
        `<schedules><schedule id="1"><manual><scheduleElement waypointId="7" etd="2026-09-15T12:00:00Z"/></manual>
      <calculated><scheduleElement waypointId="5" eta="2026-09-16T08:00:00Z" speed="6"/><scheduleElement waypointId="3" speed="6"/></calculated></schedule>
      <schedule id="2"><manual><scheduleElement waypointId="7" etd="2027-01-01T00:00:00Z"/></manual></schedule></schedules>`,
      ),
    );
    expect(list).toMatchObject({
      kind: "route",
      name: "Out & home",
      knots: 6,
      departure: at("2026-09-15T12:00:00Z"),
      points: [
        { latitude: 48, longitude: -5, name: "Quay", time: at("2026-09-15T12:00:00Z") },
        { latitude: 49, leg: "rhumb" },
        { latitude: 50, leg: "great_circle", name: "Roads", time: at("2026-09-16T08:00:00Z") },
      ],
    });
    expect(list.points[1]!.time! - at("2026-09-15T22:00:00Z")).toBeLessThan(300);
  },
);

it("without a schedule it has no times, and without a kind of leg they are rhumb lines", async () => {
  const list = await read(route("1.2", "").replace(/<defaultWaypoint.*<\/defaultWaypoint>/, ""));
  const none = [undefined, "rhumb"];
  expect(list.points.map(({ time, leg }) => [time, leg])).toEqual([none, none, none]);
  expect(list.departure).toBeUndefined();
});

it("is read from its container, and names waypoints without a position", async () => {
  const archive = zipSync({ "Überfahrt.rtz": strToU8(route("1.2", "")) });
  expect((await read(archive)).points).toHaveLength(3);
  const list = await read(route("1.2", "").replace('lat="49.0"', 'lat=""'));
  expect(list.points).toHaveLength(2);
  expect(list.unread?.shown).toMatchObject([{ code: "gpxAngle", name: "Out & home", point: 2 }]);
});

it.each([
  '<route version="1.2"><waypoints/></route>',
  '<route version="1.2"><waypoints>x</waypoints></route>',
  "<route><waypoints>",
  `<!DOCTYPE route [<!ENTITY a "b">]>${route("1.2", "").slice(38)}`,
  route("1.2", "").replaceAll(/lat="[^"]*"/g, 'lat="0x10"'),
])("refuses %j", async (text) => {
  await expect(read(text)).rejects.toThrow(PointListError);
});
