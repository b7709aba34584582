// @ts-check

/**
 * @typedef {import("./service.js").Weather} Weather
 * @typedef {import("./service.js").Conditions} Conditions
 * @typedef {import("./last-answers.js").Answer & { reply: Weather }} WeatherAnswer
 *
 * @typedef {object} WeatherData As `WeatherData` of @signalk/server-api: SI units, angles in radians. Wind and waves are
 *   named by where they come from, currents by where they go. What is unknown is absent.
 * @property {string} date Hours: the hour; days: its midnight, UTC.
 * @property {"observation" | "point" | "daily"} type
 * @property {string} description
 * @property {Record<string, number>} [outside] Precipitation is that of an hour or a day, m.
 * @property {Record<string, number>} [water]
 * @property {Record<string, number>} [wind]
 */

const same = (/** @type {number} */ value) => value;
const kelvin = (/** @type {number} */ celsius) => celsius + 273.15;
const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180;

/** Group and name in Signal K, our field, and what makes one of the other. @type {[string, string, string, (value: number) => number][]} */
const fields = [
  ["outside", "temperature", "Temperature_2m", kelvin],
  ["outside", "pressure", "Pressure", (hPa) => hPa * 100],
  ["outside", "cloudCover", "Cloud_Cover", (percent) => percent / 100],
  // mm/h for an hour.
  ["outside", "precipitationVolume", "Precipitation", (mm) => mm / 1000],
  ["water", "temperature", "Sea_Surface_Temperature", kelvin],
  ["water", "surfaceCurrentSpeed", "Currents_Intensity", same],
  ["water", "surfaceCurrentDirection", "Currents_Direction", radians],
  ["water", "waveSignificantHeight", "Waves_Significant_Height", same],
  ["water", "wavePeriod", "Waves_Mean_Period", same],
  ["water", "waveDirection", "Waves_Mean_Direction", radians],
  ["water", "swellHeight", "Swell_Significant_Height", same],
  ["water", "swellPeriod", "Swell_Mean_Period", same],
  ["water", "swellDirection", "Swell_Mean_Direction", radians],
  ["wind", "speedTrue", "Winds_10m_Intensity", same],
  ["wind", "directionTrue", "Winds_10m_Direction", radians],
  ["wind", "gust", "Gust_10m", same],
];

/**
 * One entry for each hour of which anything is known, ascending.
 *
 * @param {WeatherAnswer} answer
 * @param {"observation" | "point"} type
 * @returns {WeatherData[]}
 */
export function hourlyData({ reply, old }, type) {
  const description = descriptionOf(reply, old);
  return reply.hours.flatMap((/** @type {Weather["hours"][number]} */ { time, conditions }) => {
    const groups = groupsOf(conditions);
    return Object.keys(groups).length > 0 ? [{ date: time, type, description, ...groups }] : [];
  });
}

/**
 * One entry for each whole UTC day, ascending. Wind, gust, waves, swell and current are those of the hour in which each is
 * strongest; temperatures, pressure and cloud are means.
 *
 * @param {WeatherAnswer} answer
 * @returns {WeatherData[]}
 */
export function dailyData({ reply, old }) {
  /** @type {Map<string, Conditions[]>} */
  const days = new Map();
  for (const { time, conditions } of reply.hours) {
    const day = time.slice(0, "2026-01-01".length);
    days.set(day, [...(days.get(day) ?? []), conditions]);
  }
  const description = `${descriptionOf(reply, old)} Strongest wind and highest waves of the day.`;
  return [...days].flatMap(([day, hours]) => {
    const groups = hours.length === 24 ? groupsOf(dayOf(hours)) : {};
    if (Object.keys(groups).length === 0) return [];
    const temperatures = known(hours, "Temperature_2m").map(kelvin);
    if (temperatures.length > 0)
      Object.assign(groups.outside ?? {}, {
        minTemperature: Math.min(...temperatures),
        maxTemperature: Math.max(...temperatures),
      });
    return [{ date: `${day}T00:00:00Z`, type: /** @type {const} */ ("daily"), description, ...groups }];
  });
}

/** Of each its hour: the field that decides, then those that go with it. */
const strongest = [
  ["Winds_10m_Intensity", "Winds_10m_Direction"],
  ["Gust_10m"],
  ["Waves_Significant_Height", "Waves_Mean_Period", "Waves_Mean_Direction"],
  ["Swell_Significant_Height", "Swell_Mean_Period", "Swell_Mean_Direction"],
  ["Currents_Intensity", "Currents_Direction"],
];

const averaged = ["Temperature_2m", "Pressure", "Cloud_Cover", "Sea_Surface_Temperature"];

/** @param {Conditions[]} hours @returns {Conditions} */
function dayOf(hours) {
  /** @type {Conditions} */
  const day = {};
  for (const [deciding = "", ...others] of strongest) {
    const most = Math.max(...known(hours, deciding));
    const hour = hours.find((conditions) => conditions[deciding] === most);
    for (const field of [deciding, ...others]) day[field] = hour?.[field] ?? null;
  }
  for (const field of averaged) {
    const values = known(hours, field);
    day[field] = values.length > 0 ? sum(values) / values.length : null;
  }
  const rain = known(hours, "Precipitation");
  // A sum with a gap would be too small.
  day.Precipitation = rain.length === hours.length ? sum(rain) : null;
  return day;
}

/** @param {Conditions} conditions */
function groupsOf(conditions) {
  /** @type {{ outside?: Record<string, number>, water?: Record<string, number>, wind?: Record<string, number> }} */
  const groups = {};
  for (const [group, name, field, convert] of fields) {
    const value = conditions[field];
    if (typeof value !== "number") continue;
    const key = /** @type {keyof typeof groups} */ (group);
    groups[key] = { ...groups[key], [name]: convert(value) };
  }
  return groups;
}

/** @param {Conditions[]} hours @param {string} field */
function known(hours, field) {
  return hours.map((conditions) => conditions[field]).filter((value) => typeof value === "number");
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {Weather} weather @param {string | undefined} old */
function descriptionOf({ models }, old) {
  return [old, `Computed by ${models.join(", ") || "no model"}, not measured.`].filter(Boolean).join(" ");
}
