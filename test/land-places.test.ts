import { readFileSync } from "node:fs";
import { destination } from "@open-metocean/geo/sphere";
import { beforeEach, expect, it, vi } from "vitest";
import { landAround } from "#components/map/land/land-tiles.ts";
import { legsOf } from "#lib/passage/march.ts";
import { landOnRoute } from "#lib/passage/optimise/coast.ts";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { Catalog } from "#server/tides/catalog.ts";
import { stationsNear } from "#server/tides/near.ts";

/** Latitude and longitude, degrees; whether the polygons of OpenStreetMap have land there; metres to their coast. */
type LandPlace = [latitude: number, longitude: number, isLand: 0 | 1, metres: number];

const places = JSON.parse(readFileSync(new URL("land-places.json", import.meta.url), "utf8")) as LandPlace[];
/** The finest tiles are within so many metres of the polygons. */
const TOLERANCE_METRES = 40;

/** Places farther than this from the polygons' coast. @param metres More than the tolerance. */
const clear = (metres: number) => places.filter((place) => place[3] > metres + TOLERANCE_METRES);
const at = ([latitude, longitude]: LandPlace) => ({ latitude, longitude });

beforeEach(() => {
  const file = readFileSync(new URL(`../public/basemap/${LAND_FILE}`, import.meta.url));
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: { range: string } }) => {
    const [first = 0, last = 0] = headers.range.slice("bytes=".length).split("-").map(Number);
    return new Response(file.subarray(first, last + 1), { status: 206 });
  });
});

it("the panel of a place says that it is on land where the polygons have it", async () => {
  const wrongOf = async (north: number) => {
    const wrong = [];
    for (const place of clear(0)) {
      const { latitude, longitude } = at(place);
      const onLand = await landAround(at(place), 1);
      if (onLand(Math.min(90, latitude + north), longitude) !== (place[2] === 1)) wrong.push(place);
    }
    return wrong;
  };
  expect(await wrongOf(0)).toEqual([]);
  expect(clear(0).length).toBeGreaterThan(2000);
  // A coast a kilometre beside it is seen.
  expect((await wrongOf(0.009)).length).toBeGreaterThan(100);
});

it("a passage crosses land where the polygons have it, and its search keeps off that land", () => {
  const coast = knownCoast();
  // Land within 2 n mi of the ends of a passage is not counted.
  const reach = 4.5;
  const wrongOf = (north: number) =>
    clear(1000 * reach).filter((place) => {
      const middle = destination(at(place), 0, north);
      const ends = [270, 90].map((course) => ({
        ...destination(middle, course, reach),
        leg: "rhumb" as const,
      }));
      return landOnRoute(legsOf(ends), coast.line).length > 0 !== (place[2] === 1);
    });
  expect(wrongOf(0)).toEqual([]);
  expect(wrongOf(50).length).toBeGreaterThan(20);
  expect(clear(0).filter((place) => place[2] === 1 && !coast.isLand(at(place)))).toEqual([]);
});

it("a tide comes by water to where the polygons have water, and to no place deep in their land", () => {
  const [known] = new Catalog(false).within("tide");
  const near = 0.2;
  const wrong = clear(1000 * near).filter((place) => {
    const station = { ...known!, ...destination(at(place), 45, near) };
    return place[2] === 0 && stationsNear([station], at(place), 40, 1)[0]!.waterKm === null;
  });
  expect(wrong).toEqual([]);
  // A place within 10 km of water counts as a harbour, and two of them may lie on one river.
  const far = 25;
  const inland = clear(10_500).filter((place, number) => place[2] === 1 && number % 3 === 0);
  const reached = inland.filter((place) => {
    const station = { ...known!, ...destination(at(place), 45, far) };
    return stationsNear([station], at(place), 40, 1)[0]!.waterKm !== null;
  });
  expect(reached).toEqual([]);
  expect(inland.length).toBeGreaterThan(100);
});
