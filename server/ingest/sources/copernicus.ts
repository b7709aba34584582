import { windField, windHeights } from "#lib/catalog/wind.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  arraysInstead,
  byProfile,
  type FieldFeed,
  type Mirror,
  ofProfiles,
  type Part,
  type PartObjects,
  partsAt,
  range,
  stamp,
  wantedArrays,
} from "#server/ingest/feeds/field-feed.ts";
import {
  bearing,
  type Conversion,
  choice,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  modelName,
  rule,
  type Selector,
  type Source,
  sum,
  unchanged,
  variable,
  waveRules,
} from "./source.ts";

/** Sea water velocity toward east or north, most complete first: circulation, tides and Stokes drift. */
function current(total: string, circulation: string, tide: string, stokes: string) {
  const velocity = (name: string) => variable(name, "m s-1");
  return [
    choice([velocity(total)], unchanged),
    choice([velocity(circulation), velocity(tide), velocity(stokes)], sum),
    choice([velocity(circulation), velocity(tide)], sum, "without Stokes drift"),
    choice([velocity(circulation)], unchanged, "without tides and Stokes drift"),
  ];
}

/** Surface currents by the names of Copernicus Marine. */
const copernicusCurrents = [
  rule("surface_eastward_sea_water_velocity", ...current("utotal", "uo", "utide", "vsdx")),
  rule("surface_northward_sea_water_velocity", ...current("vtotal", "vo", "vtide", "vsdy")),
];

/** Copernicus SMOC: hourly surface currents of circulation, tides and Stokes drift together. */
export const smoc: Source = {
  name: "smoc",
  title: "Copernicus SMOC: currents with tides and Stokes drift (NetCDF or Zarr)",
  dataset: "Forecast",
  model: modelName("Copernicus SMOC"),
  rules: copernicusCurrents,
};

const combined = waveRules(
  "sea_surface_wave",
  [choice([variable("VHM0", "m")], unchanged)],
  [
    choice([variable("VTM10", "s")], unchanged),
    choice([variable("VTPK", "s")], unchanged, "period of the spectral peak, in place of the mean period"),
  ],
  bearing(variable("VMDR", "degree")),
);

const windSea = waveRules(
  "sea_surface_wind_wave",
  [choice([variable("VHM0_WW", "m")], unchanged)],
  [choice([variable("VTM01_WW", "s")], unchanged)],
  bearing(variable("VMDR_WW", "degree")),
);

const swellHeight = (n: number) => variable(`VHM0_SW${n}`, "m");

/** Both swell partitions, or the first if a file has no second. */
const swellChoices = (needs: (n: number) => Selector[], convert: Conversion) => [
  choice([1, 2].flatMap(needs), convert, "swell partitions 1 and 2 together, weighted by energy"),
  choice(needs(1), convert, "swell partition 1"),
];

const swell = waveRules(
  "sea_surface_swell_wave",
  swellChoices((n) => [swellHeight(n)], combinedHeight),
  swellChoices((n) => [swellHeight(n), variable(`VTM01_SW${n}`, "s")], combinedPeriod),
  (part) => swellChoices((n) => [swellHeight(n), variable(`VMDR_SW${n}`, "degree")], combinedDirection(part)),
);

/** Waves by the names of Copernicus Marine. VMDR and its likes are directions that waves come FROM. */
const copernicusWaves = [...combined, ...windSea, ...swell];

/** Copernicus Marine's global wave model: Météo-France's MFWAM. */
export const cmemswave: Source = {
  name: "cmemswave",
  title: "Copernicus Marine waves: combined with a true mean period, swell, wind waves (NetCDF or Zarr)",
  dataset: "Forecast",
  model: modelName("Copernicus MFWAM"),
  rules: copernicusWaves,
};

const carriedWind = "GFS wind carried in the same file";
const winds = windHeights.flatMap((height) =>
  (["eastward", "northward"] as const).map((toward) => {
    const component = `${toward === "eastward" ? "u" : "v"}-component_of_wind_height_above_ground`;
    return rule(
      windField(toward, height),
      choice([variable(component, "m s-1", height)], unchanged, carriedWind),
    );
  }),
);

/** Copernicus Marine: SMOC currents, waves, sea temperature, and GFS wind in files that include it. */
export const cmems: Source = {
  name: "cmems",
  title: "Copernicus Marine: currents with tides, waves, sea temperature (NetCDF)",
  dataset: "Forecast",
  model: modelName("Copernicus Marine"),
  rules: [
    ...copernicusCurrents,
    ...copernicusWaves,
    rule(
      "sea_surface_temperature",
      choice([variable("thetao", "degC")], unchanged, "potential temperature of the uppermost model level"),
      choice([variable("sst", "degC")], unchanged),
      choice([variable("analysed_sst", "degC")], unchanged),
    ),
    ...winds,
    rule(
      "wind_speed_of_gust",
      choice([variable("Wind_speed_gust_surface", "m s-1")], unchanged, carriedWind),
    ),
    rule(
      "air_pressure_at_mean_sea_level",
      choice(
        [variable("Pressure_reduced_to_MSL_msl", "hPa")],
        unchanged,
        "GFS pressure carried in the same file",
      ),
    ),
  ],
};

const DATASET = "GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
const STORES = `mdl-arco-time-015/arco/${DATASET}`;
const FILES = `mdl-native-14/native/${DATASET}`;
/** Where the product begins. The stores may begin later: their time axis says. */
const FIRST_DAY = Date.UTC(2020, 10, 1) / 1000;
const files = {
  name: "Copernicus files",
  base: "https://s3.waw3-1.cloudferro.com",
  since: FIRST_DAY,
  form: "files",
} as const;

/** The hosts of the anonymous stores. @param since Where a product begins, Unix seconds. */
function copernicusStores(since: number): Mirror[] {
  return [
    { name: "Copernicus stores", base: "https://s3.waw3-1.cloudferro.com", since },
    { name: "Copernicus stores, second host", base: "https://s3.waw4-1.cloudferro.com", since },
  ];
}

/** Days from the base time on, and hours between steps. A run has ten days. */
const extent = byProfile({ days: 5, every: 3 }, { days: 10, every: 3 }, { days: 10, every: 1 });

/** Bytes of both components of one step, compressed: measured by others in 2026, on a part of the grid at 1/12°. */
const STEP_BYTES_THIRD = 1_340_000;
const STEP_BYTES_TWELFTH = 23_000_000;

/** Runs after the one asked for that may have rewritten a past day: one in seven runs rewrites two weeks. */
const LATER_RUNS = 7;

/**
 * Copernicus SMOC, one part a day: the anonymous Zarr v2 stores at 1/12°, or 1/3° for `lite`; the daily files of all
 * components at 1/12°, several times as many bytes, where no store answers.
 *
 * The stores are overwritten by each daily run, and nothing in them names the run: only the age of a chunk tells that it
 * is of the run before. Not verified here: the hour of the update, and which of the two hosts of the stores is current
 * (the bucket and version are those that others used in 2026).
 */
export const smocFeed: FieldFeed = {
  name: "smoc",
  title: "Copernicus SMOC: surface currents with tides and Stokes drift",
  resolution: byProfile("1/3°", "1/12°"),
  nodes: byProfile(1080 * 511, 4320 * 2041),
  credit: "Generated using E.U. Copernicus Marine Service Information, https://doi.org/10.48670/moi-00016",
  source: smoc,
  cycles: { every: DAY_S, offset: 0 },
  delay: { first: 12 * HOUR_S, whole: 14 * HOUR_S },
  mirrors: [...copernicusStores(FIRST_DAY), files],
  parts: (cycle, profile) =>
    range(0, extent[profile].days - 1, 1).map((day) => ({
      cycle,
      index: day,
      times: range(0, 23, extent[profile].every).map((hour) => cycle + day * DAY_S + hour * HOUR_S),
    })),
  objects(part, profile, mirror): PartObjects | undefined {
    if (mirror.form === "files") return profile === "lite" ? undefined : daily(part);
    const store = profile === "lite" ? "downsampled4.zarr" : "timeChunked.zarr";
    return {
      kind: "zarr",
      store: `${STORES}/${store}`,
      arrays: ["utotal", "vtotal"],
      writtenFrom: part.cycle + 6 * HOUR_S,
    };
  },
  partBytes: (profile) =>
    (24 / extent[profile].every) * (profile === "lite" ? STEP_BYTES_THIRD : STEP_BYTES_TWELFTH),
};

/** The file of a day by the run of the cycle; of a past day, by the next weekly run if only that is left. */
function daily(part: Part): PartObjects {
  const { day } = stamp(part.times[0]!);
  const folder = `${FILES}/${day.slice(0, 4)}/${day.slice(4, 6)}`;
  const runs = part.index === 0 ? range(0, LATER_RUNS, 1) : [0];
  return {
    kind: "file",
    objects: runs.map((later) => `${folder}/SMOC_${day}_R${stamp(part.cycle + later * DAY_S).day}.nc`),
  };
}

const STORE =
  "mdl-arco-time-015/arco/GLOBAL_ANALYSISFORECAST_WAV_001_027/cmems_mod_glo_wav_anfc_0.083deg_PT3H-i_202411/downsampled4.zarr";
/** Where the store's time axis began in 2026. */
const FIRST_CYCLE = Date.UTC(2022, 10, 1, 12) / 1000;

const arrays = ofProfiles(cmemswave, (fields) => wantedArrays(cmemswave, fields));

const instead = arraysInstead(cmemswave);

/**
 * Leads, hours. A run has ten days; where those of 12 UTC end is not documented, so that their last half day is not
 * waited for.
 */
const last = byProfile(120, 228);

/** Bytes of an array at one step, about: 16 bits of 1080 × 511 nodes with the spectrum of waves, by Blosc (lz4, shuffle). */
const ARRAY_BYTES = 350_000;

/**
 * Copernicus Marine's global waves by Météo-France, two runs a day, from the anonymous Zarr v2 store at 1/3°: a second
 * opinion at a fifth of the bytes of a source of 0.25°. That of 1/12° takes some 4 MB an array and step.
 *
 * Not verified here: the hour of the update. Public code of 2026 waits for eleven hours.
 */
export const cmemswaveFeed: FieldFeed = {
  name: "cmemswave",
  title: "Copernicus Marine waves 1/3°: combined with a true mean period, swell, wind waves",
  nodes: byProfile(1080 * 511, 1080 * 511),
  credit: "Generated using E.U. Copernicus Marine Service Information, https://doi.org/10.48670/moi-00017",
  source: cmemswave,
  cycles: { every: 12 * HOUR_S, offset: 0 },
  delay: { first: 11 * HOUR_S, whole: 13 * HOUR_S },
  mirrors: copernicusStores(FIRST_CYCLE),
  parts: (cycle, profile) => partsAt(cycle, range(0, last[profile], 3)),
  objects: ({ cycle }, profile) => ({
    kind: "zarr",
    store: STORE,
    arrays: arrays[profile],
    instead,
    writtenFrom: cycle + 5 * HOUR_S,
  }),
  partBytes: (profile) => arrays[profile].length * ARRAY_BYTES,
};
