import type { Station } from "@neaps/tide-database";
import { DEGREE_3 } from "./constituents.ts";
import type { Term } from "./harmonics.ts";

/** The published constituent that a source means by a name, and what must be added to its lags, degrees. */
interface Meaning {
  name?: string;
  add: number;
}

/** Longitude of the sun's perigee, degrees. It moves by 1.7° in a century. */
const SOLAR_PERIGEE = 283;

/**
 * Norway's annual constituent counts from perihelion (V = h − p′), so its lag as SA (V = h) is greater by p′. It is up
 * to 15 cm. Norway's S1 (S1_KV, up to 1.5 cm) is left out, because no published definition of it was found.
 */
const kartverket: Record<string, Meaning> = { SA_KV: { name: "SA", add: SOLAR_PERIGEE } };

/**
 * TICON-4 counts M1 and the compounds of the diurnal tide from midnight and without the ±90° of their parts, and turns
 * SGM by 180°. At gauges that NOAA or Norway analysed too, its M1 lags 94° less than NOAA's, its 2MK5 and R3 90° less
 * than Norway's, and its SGM differs by 175°; everything else agrees within a few degrees. The lags of T3 minus those
 * of R3, and of 2MO5 minus those of 2MK5, differ by 178° from the sums of their parts. Its 3N2 and 3L2 are the lines of
 * the third degree, as the maintainers of the database found in gauge records. Whether S3 lacks 180°, as T3 and R3
 * suggest, could not be determined, so it is used as published.
 */
const ticon: Record<string, Meaning> = {
  M1: { add: 90 },
  "2MK5": { add: 90 },
  "2MO5": { add: -90 },
  R3: { add: 90 },
  T3: { name: "SP3", add: -90 },
  SGM: { add: 180 },
  "3N2": { name: DEGREE_3.N2, add: 0 },
  "3L2": { name: DEGREE_3.L2, add: 0 },
};

/**
 * The database analysed the records of WSV (Germany) and RWS (the Netherlands) itself, because TICON had them in local
 * time. It used the arguments of the predictor, which differ from those of `equilibriumArgument`.
 */
const refitted: Record<string, Meaning> = {
  M3: { add: 180 },
  S3: { add: 180 },
  T3: { name: "SP3", add: 90 },
  "3N2": { name: "MKS2", add: 0 },
  "3L2": { name: DEGREE_3.L2, add: -90 },
};

const REFITTED = /-(wsv|rws)$/;

function meaningsOf(id: string): Record<string, Meaning> {
  if (id.startsWith("kartverket/")) return kartverket;
  if (!id.startsWith("ticon/")) return {};
  return REFITTED.test(id) ? refitted : ticon;
}

/**
 * Constants of a station for `equilibriumArgument`. They are adapted, because sources define some constituents in their
 * own ways.
 */
export function termsOf({ id, harmonic_constituents }: Station): Term[] {
  const meanings = meaningsOf(id);
  return harmonic_constituents.map(({ name, amplitude, phase }) => {
    const meaning = meanings[name];
    return meaning
      ? { name: meaning.name ?? name, amplitude, phase: phase + meaning.add }
      : { name, amplitude, phase };
  });
}
