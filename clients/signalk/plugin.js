// @ts-check
import path from "node:path";
import { LastAnswers } from "./last-answers.js";
import { BEST, serviceAt } from "./service.js";
import { stormWarnings } from "./storm-warnings.js";
import { dailyData, hourlyData } from "./weather-data.js";

/**
 * @typedef {object} ServerApp The part of a Signal K server that the plugin uses.
 * @property {() => string} getDataDirPath A folder of the plugin's own.
 * @property {(provider: object) => void} registerWeatherProvider
 * @property {(text: string) => void} setPluginStatus
 * @property {(text: string) => void} setPluginError
 *
 * @typedef {object} Deps
 * @property {() => number} now Unix time, milliseconds.
 * @property {typeof fetch} fetch
 *
 * @typedef {{ latitude: number, longitude: number }} Position Degrees north and east.
 * @typedef {{ maxCount?: number, startDate?: string }} Options `startDate` is YYYY-MM-DD, UTC.
 */

const HOUR_MS = 3_600_000;

const schema = {
  type: "object",
  required: ["url", "key"],
  properties: {
    url: { type: "string", title: "Address of the service", default: "http://127.0.0.1:3000" },
    key: { type: "string", title: "API key" },
    refreshHours: {
      type: "integer",
      title: "Hours between two requests for one position",
      minimum: 1,
      maximum: 24,
      default: 1,
    },
    model: {
      type: "string",
      title: "Model of the weather: best, or the name of one, such as gfs or ecmwf",
      pattern: "^[A-Za-z0-9._-]{1,64}$",
      default: BEST,
    },
    storms: {
      type: "string",
      title: "Whose storms are warned of",
      enum: ["jtwc", "jma", "both", "none"],
      default: "jtwc",
    },
  },
};

/** Whose storms a choice means. */
const providers = /** @type {Record<string, ("jtwc" | "jma")[]>} */ ({
  jtwc: ["jtwc"],
  jma: ["jma"],
  both: ["jtwc", "jma"],
  none: [],
});

/**
 * A weather provider of Signal K that answers from an Open MetOcean service, and from its last answers while the link is
 * down.
 *
 * @param {ServerApp} app
 * @param {Deps} deps
 */
export function createPlugin(app, { now, fetch }) {
  return {
    id: "signalk-open-metocean",
    name: "Open MetOcean weather",
    description: "Forecasts and storm warnings of an Open MetOcean service",
    schema,

    /** @param {{ url?: string, key?: string, refreshHours?: number, model?: string, storms?: string }} settings */
    start({ url = "", key = "", refreshHours = 1, model = BEST, storms = "jtwc" }) {
      if (!/^https?:\/\//.test(url) || !key)
        return app.setPluginError("Set the address of the service and the API key");
      const service = serviceAt(url, key, model || BEST, fetch);
      const answers = new LastAnswers({
        folder: path.join(app.getDataDirPath(), service.id),
        everyMs: Math.max(1, refreshHours) * HOUR_MS,
        now,
        report: (problem) =>
          problem === undefined
            ? app.setPluginStatus(`Last answer ${iso(now())}`)
            : app.setPluginError(`${problem} (${iso(now())}); the last answers are used`),
      });
      /** @param {Position} position */
      const weather = (position) =>
        answers.answer("weather", position, (place) => service.weather(place, now()));
      app.registerWeatherProvider({
        name: "Open MetOcean",
        methods: {
          pluginId: "signalk-open-metocean",

          /** Hours up to the present one, the newest first; one where no number is asked for. Values of models. */
          async getObservations(/** @type {Position} */ position, /** @type {Options} */ options = {}) {
            const hours = hourlyData(await weather(position), "observation")
              .filter(({ date }) => Date.parse(date) <= now() && date >= (options.startDate ?? ""))
              .reverse();
            return hours.slice(0, options.maxCount ?? 1);
          },

          /** Hours from the present one on, or UTC days from today on. */
          async getForecasts(
            /** @type {Position} */ position,
            /** @type {"point" | "daily"} */ type,
            /** @type {Options} */ options = {},
          ) {
            const isDaily = type === "daily";
            const answer = await weather(position);
            const first =
              options.startDate ??
              iso(now()).slice(0, isDaily ? "2026-01-01".length : "2026-01-01T00".length);
            const data = isDaily ? dailyData(answer) : hourlyData(answer, "point");
            return data.filter(({ date }) => date >= first).slice(0, options.maxCount);
          },

          /** Storms whose danger area or gales reach the position, as a place that stays. Throws where nothing is known. */
          async getWarnings(/** @type {Position} */ position) {
            const all = await Promise.all(
              (providers[storms] ?? []).map(async (provider) =>
                stormWarnings(
                  provider,
                  await answers.answer(provider, position, (place) => service.approach(provider, place)),
                ),
              ),
            );
            return all
              .flat()
              .filter(({ endTime }) => Date.parse(endTime) >= now())
              .sort((one, other) => one.startTime.localeCompare(other.startTime));
          },
        },
      });
      app.setPluginStatus("Waiting for the first question");
    },

    /** The server itself takes the provider off its list. */
    stop() {},
  };
}

/** @param {number} ms Unix time, milliseconds. */
function iso(ms) {
  return new Date(ms).toISOString();
}
