import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type FieldFeed, newestCycle } from "#server/ingest/feeds/field-feed.ts";
import { temporaryFolder } from "#test/archive.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { movedFeeds } from "./moved-feeds.ts";

const cycle = Date.UTC(2027, 2, 4, 6) / 1000;

/** The feed with its addresses replaced by a file. The text is JSON, which is YAML too. */
function moved(feed: FieldFeed, addresses: object, name = feed.name): FieldFeed {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "built-in"));
  writeFileSync(path.join(folder, "built-in", `${name}.yaml`), JSON.stringify(addresses));
  return movedFeeds(folder, [feed])[0]!;
}

const objectsOf = (feed: FieldFeed, index: number) =>
  feed.objects(feed.parts(cycle, "standard")[index]!, "standard", feed.mirrors[0]!);

it("takes hosts, names and elements of another version from the file", () => {
  const gfs = moved(feedNamed("gfs"), {
    mirrors: ["https://gfs17.example", "https://noaa-gfs-bdp-pds.s3.amazonaws.com"],
    files: "gfs.v17.{YYYY}{MM}{DD}/{HH}/gfs.t{HH}z.0p25.f{FFF}.grib2",
    elements: { CAPE: "MUCAPE" },
  });
  expect(gfs.mirrors.map(({ name }) => name)).toEqual(["gfs17.example", "noaa-gfs-bdp-pds.s3.amazonaws.com"]);
  // Known properties of a host stay.
  expect(gfs.mirrors[1]!.since).toBe(feedNamed("gfs").mirrors[0]!.since);
  const objects = objectsOf(gfs, 7);
  if (objects?.kind !== "messages") throw new Error("GFS has messages");
  expect(objects.object).toBe("gfs.v17.20270304/06/gfs.t06z.0p25.f007.grib2");
  expect(objects.index.object).toBe(`${objects.object}.idx`);
  const cape = objects.wanted.find(({ element }) => element === "CAPE")!;
  expect(cape.alternatives).toEqual(["MUCAPE"]);
  expect(cape.instead?.[0]?.[0]?.alternatives).toEqual(["MUCAPE"]);
});

it("finds the index beside the object, by the feed's rule or by a template of its own", () => {
  const names = (feed: FieldFeed) => {
    const objects = objectsOf(feed, 2);
    return objects?.kind === "messages" && objects.index.object;
  };
  expect(names(moved(feedNamed("gfs"), { files: "{HH}/f{FFF}" }))).toBe("06/f002.idx");
  expect(names(moved(feedNamed("ecmwf"), { files: "{HH}z/{F}h-fc.grib2" }))).toBe("06z/6h-fc.index");
  expect(names(moved(feedNamed("gfs"), { index: "{HH}/f{FFF}.index" }))).toBe("06/f002.index");
  expect(objectsOf(moved(feedNamed("smoc"), { files: "smoc_202711.zarr" }), 0)).toMatchObject({
    kind: "zarr",
    store: "smoc_202711.zarr",
  });
});

it("moves each file of a step that has one for each variable, and keeps the names of another version unless it states names", () => {
  const ukmo = moved(feedNamed("ukmo"), { files: "global/{HH}/{param}_{FFFF}.nc" });
  expect(ukmo.objects(ukmo.parts(cycle, "lite")[1]!, "lite", ukmo.mirrors[0]!)).toMatchObject({
    objects: [
      "global/06/wind_speed_at_10m_0006.nc",
      "global/06/wind_direction_at_10m_0006.nc",
      "global/06/wind_gust_at_10m_0006.nc",
      "global/06/pressure_at_mean_sea_level_0006.nc",
    ],
  });
  const namesOf = (feed: FieldFeed) =>
    feed.otherNames?.(feed.parts(cycle, "lite")[1]!, "lite", feed.mirrors[0]!).length;
  expect(namesOf(moved(feedNamed("gfs"), { files: "{HH}/f{FFF}" }))).toBeUndefined();
  expect(namesOf(moved(feedNamed("gfs"), { mirrors: ["https://gfs17.example"] }))).toBe(1);
});

it("says of a feed that its publisher ends since when", () => {
  const gwam = moved(feedNamed("dwdgwam"), { ended: "2027-03-04" });
  expect(gwam.title("lite")).toBe("DWD GWAM 0.25°: waves, with a true mean period, cycles until 2027-03-04");
  const hours = (from: number) => newestCycle(gwam, cycle + from * 3600) - cycle;
  expect([hours(7), hours(24), hours(240)].map((seconds) => seconds / 3600)).toEqual([-6, 6, 6]);
});

it("moves each file of a step that has one for each message", () => {
  const gwam = moved(feedNamed("dwdgwam"), { files: "wam/{HH}/{PARAM}_{FFF}.grib2" });
  const objects = gwam.objects(gwam.parts(cycle, "lite")[1]!, "lite", gwam.mirrors[0]!);
  expect(objects).toMatchObject({
    kind: "all",
    objects: ["wam/06/SWH_003.grib2", "wam/06/TM10_003.grib2", "wam/06/MWD_003.grib2"],
  });
});

it("moves the stores of a feed, and leaves the alternative whole files where they are", () => {
  const stores = { mirrors: ["https://stores.example"], files: "smoc_202711.zarr" };
  const smoc = moved(feedNamed("smoc"), stores);
  const objects = (feed: FieldFeed) =>
    feed.mirrors.map((mirror) => feed.objects(feed.parts(cycle, "standard")[0]!, "standard", mirror));
  expect(smoc.mirrors.map(({ base }) => base)).toEqual([
    stores.mirrors[0],
    feedNamed("smoc").mirrors.at(-1)!.base,
  ]);
  expect(objects(smoc)).toEqual([
    expect.objectContaining({ kind: "zarr", store: stores.files }),
    objects(feedNamed("smoc")).at(-1),
  ]);
});

it("refuses what is not an address, and a template that it cannot fill", () => {
  expect(() => moved(feedNamed("gfs"), {}, "gsf")).toThrow("there is no feed gsf; there are gfs");
  expect(() => moved(feedNamed("gfs"), { mirrors: ["noaa.gov/"] })).toThrow("https://host/path");
  expect(() => moved(feedNamed("gfs"), { mirrors: ["https://me:hush@noaa.gov/a"] })).toThrow(
    "without user and password",
  );
  expect(() => moved(feedNamed("gfs"), { files: "{YYYY}/{cycle}" })).toThrow("{YYYY}");
  const elements = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`E${i}`, ""]));
  expect(() => moved(feedNamed("gfs"), { elements })).toThrow(
    /gfs\.yaml: it has 2488904 bytes; at most 32768 are read/,
  );
});
