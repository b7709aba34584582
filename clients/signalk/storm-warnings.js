// @ts-check

const KM_PER_NM = 1.852;

/** A storm without a forecast is warned of within this distance of its last position, km. */
const UNFORECAST_KM = 1000;

const DAY_S = 86_400;

const centres = { jtwc: "JTWC and NHC, 1-minute winds", jma: "JMA, 10-minute winds" };

/**
 * @typedef {{ startTime: string, endTime: string, details: string, source: string, type: string }} Warning
 */

/**
 * Warnings from a reply of POST /storms/approach: the time within a storm's danger area, that of its gales, and storms near
 * the place of which there is no forecast.
 *
 * @param {"jtwc" | "jma"} provider
 * @param {import("./last-answers.js").Answer} answer
 * @returns {Warning[]}
 */
export function stormWarnings(provider, { reply, old }) {
  const source = `Open MetOcean (${centres[provider]})`;
  /** @returns {Warning} @param {string} type @param {number} from Unix seconds. @param {number} to @param {string} details */
  const warning = (type, from, to, details) => ({
    startTime: iso(from),
    endTime: iso(Math.max(from, to)),
    details: old === undefined ? details : `${old} ${details}`,
    source,
    type,
  });

  const forecast = reply.results.flatMap((/** @type {any} */ storm) => {
    const { danger, arrivals, closest, issued_at, is_stale } = storm;
    const about = `${nameOf(storm)}: closest ${nm(closest.distance_km)} at ${iso(closest.time)}. Forecast of ${iso(issued_at)}${is_stale ? ", stale" : ""}.`;
    const warnings = [];
    if (danger && danger.enters !== null)
      warnings.push(
        warning(
          "Danger area of a tropical cyclone",
          danger.enters,
          danger.leaves ?? danger.until,
          `The danger area reaches this place${danger.leaves === null ? ", to the end of its 72 h" : ""}. ${about}`,
        ),
      );
    const gales = arrivals.toSorted(
      (/** @type {any} */ one, /** @type {any} */ other) => one.threshold_kt - other.threshold_kt,
    )[0];
    if (gales && (gales.outlook === "expected" || gales.outlook === "possible"))
      warnings.push(
        warning(
          `Winds of ${gales.threshold_kt} kn`,
          gales.earliest ?? gales.likely ?? storm.from,
          gales.ends ?? gales.told_until ?? storm.until,
          `Winds of ${gales.threshold_kt} kn are ${gales.outlook}${gales.likely === null ? "" : `, likely from ${iso(gales.likely)}`}. ${about}`,
        ),
      );
    return warnings;
  });

  const unforecast = reply.without_forecast
    .filter(
      (/** @type {any} */ { is_active, last_fix_time, km }) =>
        is_active && last_fix_time !== null && km !== undefined && km <= UNFORECAST_KM,
    )
    .map((/** @type {any} */ storm) =>
      warning(
        "Tropical cyclone without a forecast",
        storm.last_fix_time,
        storm.last_fix_time + DAY_S,
        `${nameOf(storm)}: last located at ${iso(storm.last_fix_time)}, ${nm(storm.km)} from here; where it goes is not known.`,
      ),
    );
  return [...forecast, ...unforecast];
}

/** @param {{ id: string, name: string | null }} storm */
function nameOf({ id, name }) {
  return name === null ? id : `${id} ${name}`;
}

/** @param {number} km */
function nm(km) {
  return `${Math.round(km / KM_PER_NM)} n mi`;
}

/** @param {number} seconds Unix time. */
function iso(seconds) {
  return new Date(1000 * seconds).toISOString();
}
