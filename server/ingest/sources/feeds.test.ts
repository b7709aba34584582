import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { describe, expect, it } from "vitest";
import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { rhythms } from "#lib/forecast-age.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  type FieldFeed,
  fieldsOfProfile,
  type PartObjects,
  type Profile,
} from "#server/ingest/feeds/field-feed.ts";
import { findMessages } from "#server/ingest/feeds/find-messages.ts";
import { fileSource } from "#server/ingest/file-source.ts";
import { describeWithSamples } from "#test/samples.ts";
import { fieldFeeds, sources } from "./all.ts";
import { cmemswaveFeed, smocFeed } from "./copernicus.ts";
import { ecmwfFeed, ecmwfwaveFeed } from "./ecmwf.ts";
import { etopoFeed } from "./etopo.ts";
import { gfsFeed } from "./gfs.ts";
import { gfswaveFeed } from "./gfswave.ts";
import { hycomFeed } from "./hycom.ts";
import { oisstFeed } from "./oisst.ts";
import { matches } from "./source.ts";

const profiles: readonly Profile[] = ["lite", "standard", "full"];
const cycle = Date.UTC(2026, 10, 23, 6) / 1000;

function messagesOf(feed: FieldFeed, profile: Profile, index = 0): PartObjects & { kind: "messages" } {
  const objects = feed.objects(feed.parts(cycle, profile)[index]!, profile, feed.mirrors[0]!);
  if (objects?.kind !== "messages") throw new Error(`${feed.name} is not fetched by messages`);
  return objects;
}

it("a forecast is old by the cycles and the delay of its feed", () => {
  const repeated = fieldFeeds.filter(({ cycles: { every } }) => every <= DAY_S);
  const hours = repeated.map(({ source, cycles, delay }) => [
    source.name,
    { every: cycles.every / HOUR_S, delay: Math.ceil(delay.whole / HOUR_S) },
  ]);
  expect(rhythms).toEqual(Object.fromEntries(hours));
});

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
  expect(messagesOf(gfsFeed, "full", 7)).toMatchObject({
    object: "gfs.20261123/06/atmos/gfs.t06z.pgrb2.0p25.f007",
    index: { object: "gfs.20261123/06/atmos/gfs.t06z.pgrb2.0p25.f007.idx", form: "wgrib2" },
  });
  expect(messagesOf(gfswaveFeed, "lite", 1).object).toBe(
    "gfs.20261123/06/wave/gridded/gfswave.t06z.global.0p25.f003.grib2",
  );
  expect(gfsFeed.parts(cycle, "full")).toHaveLength(209);
  expect(gfswaveFeed.parts(cycle, "full")).toHaveLength(209);
});

/** The first name of the first part on a mirror. */
function firstName(feed: FieldFeed, profile: Profile, mirror = 0): string | undefined {
  const objects = feed.objects(feed.parts(cycle, profile)[0]!, profile, feed.mirrors[mirror]!);
  if (objects?.kind === "file" || objects?.kind === "all") return objects.objects[0];
  return objects?.kind === "zarr" ? objects.store : objects?.object;
}

it("names the objects of the other feeds as their publishers do", () => {
  expect(messagesOf(ecmwfFeed, "full", 2).object).toBe(
    "20261123/06z/ifs/0p25/oper/20261123060000-6h-oper-fc.grib2",
  );
  expect(messagesOf(ecmwfwaveFeed, "full", 2).index).toEqual({
    object: "20261123/06z/ifs/0p25/wave/20261123060000-6h-wave-fc.index",
    form: "ecmwf",
  });
  const product = "GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
  expect(firstName(smocFeed, "lite")).toBe(`mdl-arco-time-015/arco/${product}/downsampled4.zarr`);
  expect(firstName(smocFeed, "full")).toBe(`mdl-arco-time-015/arco/${product}/timeChunked.zarr`);
  expect(firstName(smocFeed, "full", 2)).toBe(
    `mdl-native-14/native/${product}/2026/11/SMOC_20261123_R20261123.nc`,
  );
  expect(firstName(smocFeed, "lite", 2)).toBeUndefined();
  expect(firstName(cmemswaveFeed, "lite")).toBe(
    "mdl-arco-time-015/arco/GLOBAL_ANALYSISFORECAST_WAV_001_027/cmems_mod_glo_wav_anfc_0.083deg_PT3H-i_202411/downsampled4.zarr",
  );
  expect(firstName(hycomFeed, "standard")).toBe(
    "thredds/ncss/grid/FMRC_ESPC-D-V02_uv3z/FMRC_ESPC-D-V02_uv3z_best.ncd?var=water_u&var=water_v&vertCoord=0&time=2026-11-23T06:00:00Z&horizStride=3&accept=netcdf",
  );
  expect(firstName(oisstFeed, "lite")).toBe("avhrr/202611/oisst-avhrr-v02r01.20261123.nc");
  expect(firstName(etopoFeed, "lite")).toBe("ETOPO_2022_v1_60s.nc?z%5B0:5:10799%5D%5B0:5:21599%5D");
});

it("fetches of Copernicus Marine's waves the combined ones for a boat, swell and wind waves too for others", () => {
  const arraysOf = (profile: Profile) => {
    const objects = cmemswaveFeed.objects(
      cmemswaveFeed.parts(cycle, profile)[0]!,
      profile,
      cmemswaveFeed.mirrors[0]!,
    );
    return objects?.kind === "zarr" ? objects.arrays : [];
  };
  expect(arraysOf("lite")).toEqual(["VHM0", "VTM10", "VMDR"]);
  expect([...arraysOf("standard")].sort()).toEqual(
    ["VHM0", "VTM10", "VMDR"]
      .concat(["SW1", "SW2", "WW"].flatMap((of) => [`VHM0_${of}`, `VTM01_${of}`, `VMDR_${of}`]))
      .sort(),
  );
  expect(fieldsOfProfile(cmemswaveFeed, "lite").sort()).toEqual(fieldsOf("wave").sort());
});

it("asks for no window at hour 0 of ECMWF, where none is", () => {
  const optional = (index: number) =>
    messagesOf(ecmwfFeed, "full", index)
      .wanted.filter(({ optional }) => optional)
      .map(({ element }) => element);
  expect([optional(0), optional(1)]).toEqual([["10fg", "tprate"], []]);
});

describeWithSamples("what is wanted is what real indices have", (samples) => {
  const textOf = (name: string) => readFileSync(join(samples, name), "utf8");

  it("gfs: every message of every profile, at the cost that is announced", () => {
    const text = textOf("idx/gfs.t00z.pgrb2.0p25.f000.idx");
    const analysis = { cycle: Date.UTC(2025, 7, 1) / 1000, lead: 0 };
    for (const profile of profiles) {
      const { wanted } = messagesOf(gfsFeed, profile);
      const { messages: found } = findMessages(text, "wgrib2", wanted, analysis);
      expect(found.flatMap((message) => message.wanted)).toHaveLength(wanted.length);
      const bytes = found.reduce((sum, { length = Number.NaN }) => sum + length, 0);
      expect(bytes / gfsFeed.partBytes(profile)).toBeGreaterThan(0.85);
      expect(bytes / gfsFeed.partBytes(profile)).toBeLessThan(1.15);
    }
  });

  it("ecmwf: the parameters that a related model has too are in its index under these names", () => {
    const common = ["10u", "10v", "msl", "2t", "tcc"];
    const { wanted } = messagesOf(ecmwfFeed, "full", 2);
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
    const { wanted } = messagesOf(gfswaveFeed, "full");
    expect(wanted).toHaveLength(15);
    const selectors = gfswaveFeed.source.rules.flatMap(({ choices }) => choices[0]!.needs);
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

it.each(variableNames)("the catalog names exactly the sources that have %s", (name) => {
  const needed: readonly FieldName[] = variable(name).outputs[0]?.of ?? fieldsOf(name);
  const having = sources.filter(({ rules }) =>
    needed.every((field) => rules.some((rule) => rule.field === field)),
  );
  expect([...variable(name).sources].sort()).toEqual(having.map((source) => source.name).sort());
});
