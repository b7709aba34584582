import { expect, it } from "vitest";
import { importRoutes } from "./route-import.ts";

const read = async (content: string) => {
  const reply = await importRoutes({ content, languages: ["en"] });
  return "lists" in reply ? reply.lists : reply.problems.shown.map(({ code }) => code);
};
const gpx = (inside: string) => `<gpx xmlns="x" xmlns:o="y">${inside}</gpx>`;

it("a route of a file becomes waypoints with names, its departure and its speed", async () => {
  const point = (latitude: number, name: string) =>
    `<rtept lat="${latitude}" lon="-5"><name>${name}</name></rtept>`;
  const lists = await read(
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
  const [list] = (await read(gpx(`<trk><trkseg>${points}</trkseg></trk>`))) as Exclude<
    Awaited<ReturnType<typeof read>>[number],
    string
  >[];
  expect(list).toMatchObject({ kind: "track", from: 2000 });
  expect(list!.within).toBeLessThan(1);
  expect(list!.waypoints.length).toBeLessThanOrEqual(100);
  // Its corner is one of them.
  expect(list!.waypoints.some(({ latitude, longitude }) => latitude === 10 && longitude < 0.05)).toBe(true);
});

it("points that cannot be read are named, for the person to decide", async () => {
  expect(
    await read(gpx('<rte><rtept lat="1" lon="2"/><rtept lat="" lon=""/><rtept lat="3" lon="4"/></rte>')),
  ).toMatchObject([{ unread: { shown: [{ code: "gpxAngle", point: 2 }], more: 0 }, waypoints: [{}, {}] }]);
  expect(await read("name,lat,lon\nA,10,20\nB,x,20\nC,11,181")).toMatchObject([
    {
      kind: "table",
      unread: { shown: [{ code: "wrongAngle", line: 3 }] },
      waypoints: [{ name: "A" }, { name: "C", longitude: -179 }],
    },
  ]);
});

it("what is no list of points is refused with its reason", async () => {
  expect(await read("<html></html>")).toEqual(["noGpx"]);
  expect(await read("{}")).toEqual(["unsoundGeojson"]);
});
