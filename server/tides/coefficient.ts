import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Catalog, Station } from "./catalog.ts";
import { firstAfter, HarmonicSum } from "./harmonics.ts";

/** The station whose tide defines the coefficient. */
const BREST = "ticon:brest-822-fra-uhslc_fd";

/**
 * Range of the semidiurnal tide at Brest with coefficient 100, metres: the mean of springs at the equinoxes, as the
 * French hydrographic office (SHOM) defines it.
 */
const HUNDRED_M = 6.1;

/**
 * Tides with a coefficient are searched this far ahead, because the largest come in cycles of 4.4 years. The search
 * proceeds in pieces.
 */
const SEARCHED_DAYS = 5 * 366;
const PIECE_DAYS = 40;

/** A high water at a station may precede that of the same tide at Brest by this much, seconds. */
const BEFORE_S = 1.5 * HOUR_S;
const M2_S = (360 / 28.9841042) * HOUR_S;

export interface CoefficientAt {
  /** Time of the high water, Unix seconds: that of Brest with the lag of M2, accurate to about a quarter of an hour. */
  time: number;
  coefficient: number;
}

/** Coefficients of French tides (20 to 120). */
export interface Coefficients {
  /** Coefficient of a high water of the station. @param time Unix seconds. */
  at(time: number): number | undefined;
  /** The first high water after a time that has at least this coefficient. */
  next(from: number, least: number): CoefficientAt | undefined;
}

/**
 * Coefficients for stations on the French coasts of the Atlantic and the Channel, for which the office publishes them;
 * undefined elsewhere.
 */
export function coefficientsOf(catalog: Catalog, station: Station): Coefficients | undefined {
  // Outside these meridians and this parallel, France borders other seas.
  const isThere = station.latitude > 43 && station.longitude > -6 && station.longitude < 3;
  if (station.country !== "France" || !isThere) return undefined;
  const lag = (terms: HarmonicSum["terms"]) => terms.find(({ name }) => name === "M2")?.phase;
  const brest = catalog.sum(catalog.station(BREST));
  const [here, there] = [lag(catalog.sum(station).terms), lag(brest.terms)!];
  if (here === undefined) return undefined;
  const after = ((here - there) / 360) * M2_S + BEFORE_S;
  const delay = after - M2_S * Math.floor(after / M2_S) - BEFORE_S;
  const semidiurnal = new HarmonicSum(
    brest.terms.filter(({ name }) => /^[A-Z\d]+2$/.test(name)),
    0,
  );
  const highsAround = (from: number, to: number): CoefficientAt[] =>
    semidiurnal.extremesAround(from, to).flatMap(({ time, value, isHigh }, at, all) => {
      const [before, later] = [all[at - 1], all[at + 1]];
      if (!isHigh || !before || !later) return [];
      const range = value - (before.value + later.value) / 2;
      // The office truncates coefficients to whole numbers.
      return [{ time: time + delay, coefficient: Math.floor((100 * range) / HUNDRED_M) }];
    });
  return {
    at(time) {
      const highs = highsAround(time - delay, time - delay);
      const next = firstAfter(highs, time);
      const near = [highs[next - 1], highs[next]].filter((one) => one !== undefined);
      return near.sort((one, other) => Math.abs(one.time - time) - Math.abs(other.time - time))[0]
        ?.coefficient;
    },
    next(from, least) {
      for (let start = from; start < from + SEARCHED_DAYS * DAY_S; start += PIECE_DAYS * DAY_S) {
        const found = highsAround(start - delay, start - delay + PIECE_DAYS * DAY_S).find(
          ({ time, coefficient }) => time >= from && coefficient >= least,
        );
        if (found) return found;
      }
      return undefined;
    },
  };
}
