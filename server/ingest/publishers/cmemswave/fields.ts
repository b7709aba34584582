import {
  bearing,
  type Conversion,
  choice,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  type FieldRule,
  type Selector,
  unchanged,
  variable,
  waveRules,
} from "#server/ingest/sources/source.ts";

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

/** Both swell partitions, or the first if a file has no second one. */
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

/** Waves by the names of Copernicus Marine. VMDR and similar are directions that waves come FROM. */
export const fields: readonly FieldRule[] = [...combined, ...windSea, ...swell];
