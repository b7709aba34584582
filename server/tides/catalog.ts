import { type Station, search, stations, stationsById } from "@neaps/tide-database";
import { type Box, inBox } from "@open-metocean/geo/box";
import type { TideKind, TideStation } from "#lib/contract/tides.ts";
import { termsOf } from "./constants.ts";
import { UnknownStationError } from "./errors.ts";
import { HarmonicSum } from "./harmonics.ts";
import { isNamed, nameOf, renamed } from "./names.ts";
import withdrawnStations from "./withdrawn.json" with { type: "json" };

export type { Station } from "@neaps/tide-database";

/** Our ids are a single path segment: `noaa:8443970` is the database's `noaa/8443970`. */
export const idOf = ({ id }: Pick<Station, "id">): string => id.replace("/", ":");

export const kindOf = ({ kind }: Pick<Station, "kind">): TideKind => (kind === "tide" ? "tide" : "stream");

/** The database lists these names as datums, but they are ranges and intervals, not levels. */
const notLevels = new Set(["GT", "MN", "DHQ", "DLQ", "HWI", "LWI", "CRD_OFFSET"]);

/** The stations of the database that can be predicted and may be shown. */
export class Catalog {
  private readonly offered: ReadonlySet<Station>;
  private readonly sums = new Map<string, HarmonicSum>();
  private readonly chartLevels = new Map<Station, number>();

  /** @param nonCommercial Whether stations are offered whose licence forbids commercial use. */
  constructor(nonCommercial: boolean) {
    this.offered = new Set(
      stations.filter(
        (station) => (nonCommercial || station.license.commercial_use) && isPredictable(station),
      ),
    );
  }

  station(id: string): Station {
    const station = stationsById.get(id.replace(":", "/"));
    if (station && idOf(station) === id && this.offered.has(station)) return station;
    const reason = station && withdrawn.get(station.id);
    if (reason) throw new UnknownStationError(`This station is withdrawn. ${reason}`);
    throw new UnknownStationError(
      station && !station.license.commercial_use && isPredictable(station)
        ? "The licence of this station forbids commercial use, and the operator has not turned such stations on"
        : "There is no such station: GET /tides/stations lists them",
    );
  }

  /**
   * The harmonic sum of a station, or of the reference station of a subordinate one, about mean sea level or mean flow.
   */
  sum(station: Station): HarmonicSum {
    const reference = referenceOf(station) ?? station;
    let sum = this.sums.get(reference.id);
    if (!sum) {
      sum = new HarmonicSum(termsOf(reference), reference.current?.mean_flow ?? 0);
      this.sums.set(reference.id, sum);
    }
    return sum;
  }

  /**
   * Height of the station's chart datum above mean sea level, metres. It is cached, because reading it from the
   * database takes longer than predicting a height.
   */
  chartLevel(station: Station): number {
    let level = this.chartLevels.get(station);
    if (level === undefined) {
      level = levelsOf(station).get(chartDatumOf(station))!;
      this.chartLevels.set(station, level);
    }
    return level;
  }

  within(kind: TideKind | undefined, box?: Box): Station[] {
    return [...this.offered].filter(
      (station) =>
        (kind === undefined || kindOf(station) === kind) && (box === undefined || inBox(box, station)),
    );
  }

  /** Stations by name, region or country, the best match first. */
  named(text: string): Station[] {
    // Words of one letter are ignored: they match nearly every station, and each word takes time.
    const words = text.split(/\s+/).filter(({ length }) => length > 1);
    const wanted = words.slice(0, SEARCHED_WORDS).join(" ") || text.slice(0, 1);
    const found = search(wanted, {
      filter: (station) => this.offered.has(station),
      maxResults: Number.MAX_SAFE_INTEGER,
    });
    // The database searches only its own names, so corrected names are searched here.
    const own = [...renamed.keys()].filter(
      (station) => this.offered.has(station) && isNamed(nameOf(station), wanted),
    );
    const others = found.filter(
      (station) => !own.includes(station) && !(renamed.has(station) && isNamed(station.name, wanted)),
    );
    return [...own, ...others];
  }
}

const SEARCHED_WORDS = 6;

/**
 * Stations of the database with misleading predictions, by its ids, with the reason. scripts/tide-phases.ts finds them.
 */
const withdrawn = new Map(Object.entries(withdrawnStations));

function isPredictable(station: Station): boolean {
  const { current } = station;
  if (withdrawn.has(station.id) || withdrawn.has(referenceOf(station)?.id ?? "")) return false;
  if (station.kind === "tide") return station.harmonic_constituents.length > 0;
  // NOAA gives no direction of the ebb for twelve stations, whose predictions are as good as those of others.
  if (current?.flood_direction === undefined) return false;
  const reference = referenceOf(station) ?? station;
  return reference.harmonic_constituents.length > 0;
}

/** The reference station of a subordinate one. */
export function referenceOf({ offsets, current }: Station): Station | undefined {
  const id = offsets?.reference ?? current?.offsets?.reference;
  return id === undefined ? undefined : stationsById.get(id);
}

/** Corrected countries: the database assigns everything that NOAA publishes to the United States. */
const countries: Readonly<Record<string, string>> = { "noaa/PCT0016": "Mexico" };

/** Distances from the requested place. */
export interface Distances {
  /** Distance along a great circle. */
  km: number;
  /** Distance by water; null where the station is not near by water. */
  waterKm: number | null;
}

/** Removes the noise of the database's 32-bit numbers. */
const rounded = (value: number, digits: number) => Number(value.toFixed(digits)) + 0;

/** @param from Distances of the station from the requested place. */
export function described(station: Station, from?: Distances): TideStation {
  return {
    id: idOf(station),
    kind: kindOf(station),
    name: nameOf(station),
    region: station.region ?? null,
    country: countries[station.id] ?? station.country,
    latitude: rounded(station.latitude, 5),
    longitude: rounded(station.longitude, 5),
    timezone: station.timezone,
    type: station.type,
    datum: station.kind === "tide" ? chartDatumOf(station) : null,
    ...(from && {
      distance_km: rounded(from.km, 1),
      water_km: from.waterKm === null ? null : rounded(from.waterKm, 1),
    }),
  };
}

/**
 * Whether a datum of a station is computed from its gauge record, as all of TICON's are. Against the datum of the
 * national charts, LAT by TICON is 0.30 m too high at Reykjavík, 0.21 m at Weymouth and 0.37 m at Avonmouth, and 0.41 m
 * too low at Wellington.
 */
export function isComputed({ id }: Pick<Station, "id">, datum: string): boolean {
  return id.startsWith("ticon/") && datum !== "MSL";
}

/** The chart datum of a station; mean sea level where the database has none. */
export function chartDatumOf({ chart_datum, datums }: Station): string {
  return chart_datum !== undefined && datums.MSL !== undefined && datums[chart_datum] !== undefined
    ? chart_datum
    : "MSL";
}

/**
 * Datums to which heights of a station can refer, each as its height above mean sea level, metres. The differences of a
 * subordinate station are valid for heights above its chart datum only.
 */
export function levelsOf(station: Station): Map<string, number> {
  const { MSL } = station.datums;
  const chartDatum = chartDatumOf(station);
  if (MSL === undefined) return new Map([["MSL", 0]]);
  const all = station.type === "subordinate" ? [chartDatum] : Object.keys(station.datums).sort();
  return new Map(
    all.flatMap((name) => (notLevels.has(name) ? [] : [[name, station.datums[name]! - MSL] as const])),
  );
}
