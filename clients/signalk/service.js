// @ts-check
import { createHash } from "node:crypto";

const HOUR_MS = 3_600_000;

/** Hours that are asked for: enough before the present one for the whole day, and as many after it as there are. */
const HOURS_BEFORE = 24;
const HOURS_AFTER = 239;

/** Name of the model that takes each value from the source that stands first for its variable. */
export const BEST = "best";

/** Time that a request may take, milliseconds: links at sea are slow. */
const TIMEOUT_MS = 60_000;

const variables = [
  "wind",
  "gust",
  "wave",
  "extra_wave",
  "current",
  "sst",
  "temp",
  "pressure",
  "cloud",
  "rain",
];

/**
 * @typedef {Record<string, number | null>} Conditions Fields of POST /MetOcean, in its units.
 * @typedef {{ hours: { time: string, conditions: Conditions }[], models: string[] }} Weather
 */

/** What the service replied instead of an answer. */
export class ServiceError extends Error {
  /** @param {string} message @param {number} retryAfterS Not to be asked again before, seconds. */
  constructor(message, retryAfterS) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/**
 * @param {string} url Origin of the service.
 * @param {string} key
 * @param {string} model Name of the model that answers, or BEST.
 * @param {typeof fetch} fetch
 */
export function serviceAt(url, key, model, fetch) {
  const origin = url.replace(/\/+$/, "");

  /** @param {string} path @param {object} body */
  async function post(path, body) {
    const reply = await fetch(origin + path, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await reply.text();
    if (!reply.ok)
      throw new ServiceError(
        `${reply.status}: ${text.slice(0, 200)}`,
        Number(reply.headers.get("retry-after")) || 0,
      );
    const answer = JSON.parse(text);
    if (answer.status === "FAILURE") throw new ServiceError(answer.error, 0);
    return answer;
  }

  return {
    /** The same for the same address, key and model: answers of one are not taken for those of another. */
    id: createHash("sha256")
      .update([origin, key, ...(model === BEST ? [] : [model])].join("\n"))
      .digest("hex")
      .slice(0, 16),

    /**
     * Weather of each hour around the present one.
     *
     * @param {{ latitude: number, longitude: number }} place
     * @param {number} now Unix time, milliseconds.
     * @returns {Promise<Weather>}
     */
    async weather(place, now) {
      const present = Math.floor(now / HOUR_MS) * HOUR_MS;
      const points = Array.from({ length: HOURS_BEFORE + 1 + HOURS_AFTER }, (_, index) => {
        const time = new Date(present + (index - HOURS_BEFORE) * HOUR_MS);
        return { ...place, timestamp: time.toISOString().replace(".000Z", "Z") };
      });
      const { result } = await post("/MetOcean", {
        points,
        variables,
        include_meta: true,
        // A service that is older than the choice of models refuses the field.
        ...(model !== BEST && { models: [model] }),
      });
      return {
        hours: result.results.map((/** @type {any} */ { coordinates, conditions }) => ({
          time: coordinates.timestamp,
          conditions,
        })),
        models: [...new Set(result.meta.provenance.map((/** @type {any} */ { model }) => model))],
      };
    },

    /**
     * How storms come near a place, as POST /storms/approach says it.
     *
     * @param {"jtwc" | "jma"} provider
     * @param {{ latitude: number, longitude: number }} place
     */
    approach(provider, place) {
      return post("/storms/approach", { provider, vessel: { ...place, course_deg: 0, speed_kt: 0 } });
    },
  };
}
