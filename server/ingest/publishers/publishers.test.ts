import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { describe, expect, it } from "vitest";
import { fieldsOf } from "#lib/catalog/fields.ts";
import { forecastAge } from "#lib/forecast-age.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  type FieldFeed,
  fieldsOfProfile,
  type PartObjects,
  type Profile,
  range,
} from "#server/ingest/feeds/field-feed.ts";
import { findMessages } from "#server/ingest/feeds/find-messages.ts";
import { fileSource } from "#server/ingest/file-source.ts";
import { type GribSelector, matches } from "#server/ingest/sources/source.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { describeWithSamples } from "#test/samples.ts";
import { fieldFeeds, publisherOrder } from "./registry.ts";

const profiles: readonly Profile[] = ["lite", "standard", "full"];
const cycle = Date.UTC(2026, 10, 23, 6) / 1000;

function messagesOf(feed: FieldFeed, profile: Profile, index = 0): PartObjects & { kind: "messages" } {
  const objects = feed.objects(feed.parts(cycle, profile)[index]!, profile, feed.mirrors[0]!);
  if (objects?.kind !== "messages") throw new Error(`${feed.name} is not fetched by messages`);
  return objects;
}

describe.each(fieldFeeds.map((feed) => [feed.name, feed] as const))("the feed %s", (_, feed) => {
  it.each(profiles)("has every step of a cycle once, in order, from the base time on: %s", (profile) => {
    const parts = feed.parts(cycle, profile);
    const times = parts.flatMap((part) => part.times);
    expect(times[0]).toBe(cycle);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(parts.map(({ index }) => index)).toEqual(parts.map((_, index) => index));
  });

  it("costs more with each profile", () => {
    const costs = profiles.map((profile) => feed.partBytes(profile) * feed.parts(cycle, profile).length);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(costs[0]).toBeGreaterThan(0);
  });
});

it("names the objects of GFS and GFS-Wave as NOAA does", () => {
  expect(messagesOf(feedNamed("gfs"), "full", 7)).toMatchObject({
    object: "gfs.20261123/06/atmos/gfs.t06z.pgrb2.0p25.f007",
    index: { object: "gfs.20261123/06/atmos/gfs.t06z.pgrb2.0p25.f007.idx", form: "wgrib2" },
  });
  expect(messagesOf(feedNamed("gfswave"), "lite", 1).object).toBe(
    "gfs.20261123/06/wave/gridded/gfswave.t06z.global.0p25.f003.grib2",
  );
  expect(feedNamed("gfs").parts(cycle, "full")).toHaveLength(209);
  expect(feedNamed("gfswave").parts(cycle, "full")).toHaveLength(209);
});

/** The first name of the first part on a mirror. */
function firstName(feed: FieldFeed, profile: Profile, mirror = 0): string | undefined {
  const objects = feed.objects(feed.parts(cycle, profile)[0]!, profile, feed.mirrors[mirror]!);
  if (objects?.kind === "file" || objects?.kind === "all") return objects.objects[0];
  return objects?.kind === "zarr" ? objects.store : objects?.kind === "messages" ? objects.object : undefined;
}

it("names the objects of the other feeds as their publishers do", () => {
  expect(messagesOf(feedNamed("ecmwf"), "full", 2).object).toBe(
    "20261123/06z/ifs/0p25/oper/20261123060000-6h-oper-fc.grib2",
  );
  expect(messagesOf(feedNamed("ecmwfwave"), "full", 2).index).toEqual({
    object: "20261123/06z/ifs/0p25/wave/20261123060000-6h-wave-fc.index",
    form: "ecmwf",
  });
  expect(messagesOf(feedNamed("ecmwfaifs"), "full", 2).object).toBe(
    "20261123/06z/aifs-single/0p25/oper/20261123060000-12h-oper-fc.grib2",
  );
  expect(messagesOf(feedNamed("ecmwfaifswave"), "full", 60)).toMatchObject({
    object: "20261123/06z/aifs-single/0p25/wave/20261123060000-360h-wave-fc.grib2",
    index: { object: "20261123/06z/aifs-single/0p25/wave/20261123060000-360h-wave-fc.index", form: "ecmwf" },
  });
  expect(firstName(feedNamed("dwdgwam"), "lite")).toBe("gwam/grib/06/swh/GWAM_SWH_2026112306_000.grib2.bz2");
  const ewam = feedNamed("dwdewam");
  const objects = ewam.objects(ewam.parts(cycle, "full")[78]!, "full", ewam.mirrors[0]!);
  expect(objects?.kind === "all" && [...objects.objects].sort()).toEqual(
    ["MDTS", "MDWW", "MPTS", "MPWW", "MWD", "SHTS", "SHWW", "SWH", "TM10"].map(
      (name) => `ewam/grib/06/${name.toLowerCase()}/EWAM_${name}_2026112306_078.grib2.bz2`,
    ),
  );
  const filesOf = (name: string, profile: Profile, index: number) => {
    const feed = feedNamed(name);
    const objects = feed.objects(feed.parts(cycle, profile)[index]!, profile, feed.mirrors[0]!);
    return objects?.kind === "all" || objects?.kind === "file" ? objects.objects : [];
  };
  expect(filesOf("ukmo", "lite", 4)).toEqual(
    ["wind_speed", "wind_direction", "wind_gust"]
      .map((name) => `${name}_at_10m`)
      .concat("pressure_at_mean_sea_level")
      .map((name) => `global-deterministic-10km/20261123T0600Z/20261124T0600Z-PT0024H00M-${name}.nc`),
  );
  expect(filesOf("ukmo", "full", 0)).toHaveLength(7);
  expect([0, 1, 2, 3].flatMap((index) => filesOf("arpege", "lite", index))).toEqual(
    ["000H024H", "025H048H", "049H072H", "073H102H"].map(
      (hours) => `2026-11-23T06:00:00Z/arpege/025/SP1/arpege__025__SP1__${hours}__2026-11-23T06:00:00Z.grib2`,
    ),
  );
  const hoursOf = (name: string, profile: Profile, at: number) =>
    feedNamed(name)
      .parts(at, profile)
      .flatMap(({ times }) => times.map((time) => (time - at) / 3600));
  expect(hoursOf("arpege", "full", cycle)).toEqual([...range(0, 48, 1), ...range(51, 102, 3)]);
  expect(hoursOf("ukmo", "full", cycle)).toEqual([...range(0, 54, 1), ...range(57, 66, 3)]);
  expect(hoursOf("ukmo", "full", cycle - 6 * 3600)).toEqual([
    ...range(0, 54, 1),
    ...range(57, 144, 3),
    ...range(150, 168, 6),
  ]);
  const product = "GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
  expect(firstName(feedNamed("smoc"), "lite")).toBe(`mdl-arco-time-015/arco/${product}/downsampled4.zarr`);
  expect(firstName(feedNamed("smoc"), "full")).toBe(`mdl-arco-time-015/arco/${product}/timeChunked.zarr`);
  expect(firstName(feedNamed("smoc"), "full", 2)).toBe(
    `mdl-native-14/native/${product}/2026/11/SMOC_20261123_R20261123.nc`,
  );
  expect(firstName(feedNamed("smoc"), "lite", 2)).toBeUndefined();
  expect(firstName(feedNamed("cmemswave"), "lite")).toBe(
    "mdl-arco-time-015/arco/GLOBAL_ANALYSISFORECAST_WAV_001_027/cmems_mod_glo_wav_anfc_0.083deg_PT3H-i_202411/downsampled4.zarr",
  );
  expect(firstName(feedNamed("hycom"), "standard")).toBe(
    "thredds/ncss/grid/FMRC_ESPC-D-V02_uv3z/FMRC_ESPC-D-V02_uv3z_best.ncd?var=water_u&var=water_v&vertCoord=0&time=2026-11-23T06:00:00Z&horizStride=3&accept=netcdf",
  );
  expect(firstName(feedNamed("oisst"), "lite")).toBe("avhrr/202611/oisst-avhrr-v02r01.20261123.nc");
  expect(firstName(feedNamed("etopo"), "lite")).toBe("ETOPO_2022_v1_60s.nc?z%5B0:5:10799%5D%5B0:5:21599%5D");
});

it("names the objects of ensembles as their publishers do", () => {
  const objectsOf = (name: string) => {
    const feed = feedNamed(name);
    const objects = feed.objects(feed.parts(cycle, "standard")[1]!, "standard", feed.mirrors[0]!);
    if (objects?.kind !== "members") throw new Error(`${name} is not an ensemble`);
    return objects.objects.map(({ object, wanted }) => [
      object,
      [...new Set(wanted.map(({ part }) => part))].length,
      [...new Set(wanted.map(({ element }) => element))].join(),
    ]);
  };
  const gefs = "gefs.20261123/06";
  expect(objectsOf("gefs-mean")).toEqual([
    [`${gefs}/atmos/pgrb2sp25/geavg.t06z.pgrb2s.0p25.f003`, 1, "UGRD,VGRD,GUST,PRMSL"],
    [`${gefs}/atmos/pgrb2sp25/gespr.t06z.pgrb2s.0p25.f003`, 1, "UGRD,VGRD,GUST,PRMSL"],
  ]);
  const statistics = objectsOf("gefs-statistics");
  expect(statistics).toHaveLength(31);
  expect(statistics[0]![0]).toBe(`${gefs}/atmos/pgrb2sp25/gec00.t06z.pgrb2s.0p25.f003`);
  expect(statistics[30]![0]).toBe(`${gefs}/atmos/pgrb2sp25/gep30.t06z.pgrb2s.0p25.f003`);
  expect(objectsOf("gefs-members").slice(60)).toEqual([
    [`${gefs}/atmos/pgrb2ap5/gep30.t06z.pgrb2a.0p50.f006`, 1, "UGRD,VGRD,PRMSL"],
    [`${gefs}/atmos/pgrb2bp5/gep30.t06z.pgrb2b.0p50.f006`, 1, "GUST"],
  ]);
  expect(objectsOf("gefswave-mean").map(([name]) => name)).toEqual(
    ["mean", "spread"].map((of) => `${gefs}/wave/gridded/gefs.wave.t06z.${of}.global.0p25.f003.grib2`),
  );
  expect(objectsOf("gefswave-members").at(-1)).toEqual([
    `${gefs}/wave/gridded/gefs.wave.t06z.p30.global.0p25.f006.grib2`,
    1,
    "HTSGW,PERPW,DIRPW",
  ]);
  const ifs = "20261123/06z/ifs/0p25";
  expect(objectsOf("ecmwfens-members")).toEqual([
    [`${ifs}/oper/20261123060000-6h-oper-fc.grib2`, 1, "10u,10v,10fg,msl"],
    [`${ifs}/enfo/20261123060000-6h-enfo-ef.grib2`, 50, "10u,10v,10fg,msl"],
  ]);
  expect(objectsOf("ecmwfenswave-statistics")).toEqual([
    [`${ifs}/wave/20261123060000-3h-wave-fc.grib2`, 1, "swh"],
    [`${ifs}/waef/20261123060000-3h-waef-ef.grib2`, 50, "swh"],
  ]);
  expect(objectsOf("ecmwfaifsens-members")).toEqual(
    ["cf", "pf"].map((of, i) => [
      `20261123/06z/aifs-ens/0p25/enfo/20261123060000-6h-enfo-${of}.grib2`,
      i === 0 ? 1 : 50,
      "10u,10v,msl",
    ]),
  );
});

it("reads the messages of GEFS by the numbers and the levels of those of GFS", () => {
  const selectorsOf = (name: string) =>
    feedNamed(name).source.rules.map(({ field, choices }) => {
      const [selector] = choices[0]!.needs as [GribSelector];
      const { codes, element } = selector.parameter;
      return { field, codes, element, level: selector.level, time: selector.time };
    });
  const ofGefs = selectorsOf("gefs-members");
  expect(ofGefs).toHaveLength(4);
  expect(selectorsOf("gfs")).toEqual(expect.arrayContaining(ofGefs));
});

describeWithSamples("the index of the mean of GEFS", (samples) => {
  it("has every message that the plan takes of it", () => {
    const text = readFileSync(join(samples, "idx/geavg.t00z.pgrb2s.0p25.f000.idx"), "utf8");
    const feed = feedNamed("gefs-mean");
    const at = Date.UTC(2025, 7, 1) / 1000;
    const objects = feed.objects(feed.parts(at, "standard")[0]!, "standard", feed.mirrors[0]!);
    const { wanted } = objects?.kind === "members" ? objects.objects[0]! : { wanted: [] };
    const { messages, lacking } = findMessages(text, "wgrib2", wanted, { cycle: at, lead: 0 });
    expect(lacking).toEqual([]);
    expect(messages.map(({ offset }) => offset)).toEqual([526564, 7055024, 7935211, 13675595]);
    const planned = wanted.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    // The last message has no end in the index.
    const real = messages.reduce((sum, { length = 893_000 }) => sum + length, 0);
    expect(planned / real).toBeCloseTo(1, 1);
  });
});

it("fetches only the combined waves of Copernicus Marine in lite, and swell and wind waves too in other profiles", () => {
  const arraysOf = (profile: Profile) => {
    const objects = feedNamed("cmemswave").objects(
      feedNamed("cmemswave").parts(cycle, profile)[0]!,
      profile,
      feedNamed("cmemswave").mirrors[0]!,
    );
    return objects?.kind === "zarr" ? objects.arrays : [];
  };
  expect(arraysOf("lite")).toEqual(["VHM0", "VTM10", "VMDR"]);
  expect([...arraysOf("standard")].sort()).toEqual(
    ["VHM0", "VTM10", "VMDR"]
      .concat(["SW1", "SW2", "WW"].flatMap((of) => [`VHM0_${of}`, `VTM01_${of}`, `VMDR_${of}`]))
      .sort(),
  );
  expect(fieldsOfProfile(feedNamed("cmemswave"), "lite").sort()).toEqual(fieldsOf("wave").sort());
});

it("requests of the waves of AIFS their three parameters, and none of a range of periods, by the index of June 2026", () => {
  const line = (param: string, number: number) =>
    JSON.stringify({
      date: "20260628",
      time: "0600",
      expver: "0001",
      class: "ai",
      type: "fc",
      stream: "wave",
      step: "6",
      levtype: "sfc",
      domain: "unknown",
      param,
      model: "aifs-single",
      _offset: number * 785_277,
      _length: 785_277,
    });
  const text = ["h1012", "swh", "h2530", "mwd", "cdww", "mwp"].map(line).join("\n");
  const { wanted } = messagesOf(feedNamed("ecmwfaifswave"), "full", 1);
  const step = { cycle: Date.UTC(2026, 5, 28, 6) / 1000, lead: 6 };
  const { messages, lacking } = findMessages(text, "ecmwf", wanted, step);
  expect(lacking).toEqual([]);
  expect(messages.map(({ offset }) => offset / 785_277)).toEqual([1, 3, 5]);
});

it("requests no window at hour 0 of ECMWF, where there is none", () => {
  const optional = (index: number) =>
    messagesOf(feedNamed("ecmwf"), "full", index)
      .wanted.filter(({ optional }) => optional)
      .map(({ element }) => element);
  expect([optional(0), optional(1)]).toEqual([["10fg", "tprate"], []]);
});

describeWithSamples("what is wanted is what real indices have", (samples) => {
  const textOf = (name: string) => readFileSync(join(samples, name), "utf8");

  it("gfs: every message of every profile, at the announced cost", () => {
    const text = textOf("idx/gfs.t00z.pgrb2.0p25.f000.idx");
    const analysis = { cycle: Date.UTC(2025, 7, 1) / 1000, lead: 0 };
    for (const profile of profiles) {
      const { wanted } = messagesOf(feedNamed("gfs"), profile);
      const { messages: found } = findMessages(text, "wgrib2", wanted, analysis);
      expect(found.flatMap((message) => message.wanted)).toHaveLength(wanted.length);
      const bytes = found.reduce((sum, { length = Number.NaN }) => sum + length, 0);
      expect(bytes / feedNamed("gfs").partBytes(profile)).toBeGreaterThan(0.85);
      expect(bytes / feedNamed("gfs").partBytes(profile)).toBeLessThan(1.15);
    }
  });

  it("ecmwfaifs: every message of every profile, at the cost that is announced", () => {
    const text = textOf("idx/aifs_single_20250301_00z_6h.index");
    const feed = feedNamed("ecmwfaifs");
    for (const profile of profiles) {
      const { wanted } = messagesOf(feed, profile, 1);
      const step = { cycle: Date.UTC(2025, 2, 1) / 1000, lead: 6 };
      const { messages: found } = findMessages(text, "ecmwf", wanted, step);
      expect(found.flatMap((message) => message.wanted)).toHaveLength(wanted.length);
      const bytes = found.reduce((sum, { length = Number.NaN }) => sum + length, 0);
      expect(bytes / feed.partBytes(profile)).toBeCloseTo(1, 2);
    }
  });

  it("ecmwf: the parameters that a related model has too are in its index under these names", () => {
    const common = ["10u", "10v", "msl", "2t", "tcc"];
    const { wanted } = messagesOf(feedNamed("ecmwf"), "full", 2);
    const { messages: found } = findMessages(
      textOf("idx/aifs_single_20250301_00z_6h.index"),
      "ecmwf",
      wanted.filter(({ element }) => common.includes(element)),
      { cycle: Date.UTC(2025, 2, 1) / 1000, lead: 6 },
    );
    expect(found).toHaveLength(common.length);
    for (const { length } of found) expect(length).toBeGreaterThan(400_000);
  });

  it("gfswave: the words of a message and its codes select the same field", () => {
    const text = textOf("grib2/gdaswave.t00z.wcoast.0p16.f000.grib2.idx");
    const analysis = { cycle: Date.UTC(2021, 10, 30) / 1000, lead: 0 };
    const file = join(samples, "grib2/gdaswave.t00z.wcoast.0p16.f000.grib2");
    using source = fileSource(file);
    const records = scanGrib2(source).fields.map((field) => ({
      kind: "grib2" as const,
      file,
      grid: field.grid,
      validTime: field.time.end,
      referenceTime: field.referenceTime,
      field,
    }));
    const { wanted } = messagesOf(feedNamed("gfswave"), "full");
    expect(wanted).toHaveLength(15);
    const selectors = feedNamed("gfswave").source.rules.flatMap(({ choices }) => choices[0]!.needs);
    for (const selector of selectors) {
      if (selector.kind !== "grib2") throw new Error("GFS-Wave is GRIB2");
      const { parameter, level, time } = selector;
      const message = { element: parameter.element, level: level.words, time };
      const [found] = findMessages(text, "wgrib2", [message], analysis).messages;
      const selected = records.filter((record) => matches(selector, record));
      expect(selected.map(({ field }) => field.offset)).toEqual([found!.offset]);
    }
  });
});

it("the default order of the publishers of each variable", () => {
  expect(publisherOrder).toEqual({
    current: ["smoc", "cmems", "hycom"],
    wind: ["gfs", "ecmwf", "cmems", "ecmwfaifs", "ukmo", "arpege"],
    gust: ["gfs", "ecmwf", "cmems", "ukmo", "arpege"],
    // Publishers with a true mean period come first.
    wave: ["cmems", "ecmwfwave", "cmemswave", "dwdewam", "dwdgwam", "ecmwfaifswave", "gfswave"],
    bathy: ["etopo"],
    sst: ["oisst", "cmems"],
    extra_wave: ["cmems", "gfswave", "cmemswave", "dwdewam", "dwdgwam"],
    rain: ["gfs", "ecmwf", "ecmwfaifs", "ukmo", "arpege"],
    mucape: ["gfs", "ecmwf"],
    temp: ["gfs", "ecmwf", "ecmwfaifs", "ukmo", "arpege"],
    cloud: ["gfs", "ecmwf", "ecmwfaifs", "ukmo", "arpege"],
    pressure: ["gfs", "ecmwf", "cmems", "ecmwfaifs", "ukmo", "arpege"],
  });
});

it.each([
  ["gfs", "lite", "NOAA GFS 0.25°: wind, gusts, pressure"],
  [
    "gfs",
    "standard",
    "NOAA GFS 0.25°: wind, gusts, rain, thunder (CAPE), air temperature, cloud cover, pressure",
  ],
  ["ecmwfwave", "standard", "ECMWF WAM open data 0.25°: waves, with a true mean period"],
  ["smoc", "lite", "Copernicus SMOC 1/3°: current, with tides and Stokes drift"],
  ["smoc", "full", "Copernicus SMOC 1/12°: current, with tides and Stokes drift"],
  ["ecmwfaifs", "lite", "ECMWF AIFS Single open data 0.25°: wind, pressure, six-hourly, by machine learning"],
  [
    "ecmwfaifswave",
    "lite",
    "ECMWF AIFS Single open data 0.25°: waves, six-hourly, by machine learning, with a true mean period",
  ],
  ["ukmo", "lite", "Met Office global 0.094° × 0.141°: wind, gusts, pressure"],
  [
    "arpege",
    "standard",
    "Météo-France ARPEGE 0.25°: wind, gusts, rain, air temperature, cloud cover, pressure",
  ],
  ["dwdgwam", "lite", "DWD GWAM 0.25°: waves, with a true mean period"],
  [
    "dwdewam",
    "standard",
    "DWD EWAM, European seas 0.05° × 0.1°: waves, swell and wind waves, with a true mean period",
  ],
  ["hycom", "standard", "HYCOM ESPC-D-V02 0.12° × 0.24°: current, no tides added"],
  ["etopo", "full", "NOAA ETOPO 2022 1/30°: depth"],
] as const)("the title of %s in %s names what the profile has", (name, profile, title) => {
  expect(feedNamed(name).title(profile)).toBe(title);
});

it("the contract says of every source after how many hours its forecast is old", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/contract/formats.md"), "utf8");
  const rows = [...page.matchAll(/^\| (`.*) \| (\d+) h \|$/gm)];
  const stated = rows.flatMap(([, names = "", hours]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]): [string, number] => [name!, Number(hours)]),
  );
  const lastHour = (rhythm?: { every: number; delay: number }) =>
    range(0, 240, 1).findLast(
      (hours) => !forecastAge({ dataset: "Forecast", rhythm }, 0, hours * HOUR_S)!.isOld,
    );
  const expected = fieldFeeds
    // Depth does not change, and has a single cycle.
    .filter(({ cycles }) => cycles.every <= DAY_S)
    .map(({ name, cycles, delay }) => [
      name,
      lastHour({ every: cycles.every / HOUR_S, delay: Math.ceil(delay.whole / HOUR_S) }),
    ]);
  // A source that is only ingested by hand has no rhythm.
  expect(Object.fromEntries(stated)).toEqual({ ...Object.fromEntries(expected), cmems: lastHour() });
});
