import { plural } from "../plural.ts";

/** Heading of a column: its unit is on a line of its own. */
interface ColumnTitle {
  what: string;
  unit: string;
}

/** All that is known of one storm. */
export const stormCard = {
  region: (name: string) => `Storm ${name}`,
  bulletin: ({ time, span }: { time: string; span: string }) => `Bulletin of ${time}, ${span} old`,
  otherTime: (time: string) =>
    `The map shows ${time}: forecast and cone of this bulletin are not drawn over it.`,
  aliases: (ids: readonly string[]) => `Also known as ${ids.join(", ")}`,
  stage: "Stage",
  wind: "Strongest wind",
  pressure: "Lowest pressure",
  centre: "Centre",
  moving: "Moving",
  seas: "Seas of 12 ft (3.7 m)",
  seasReach: (quadrants: string) => `${quadrants} n mi, dotted on the map`,
  danger: {
    title: "Mariner's 1-2-3 danger area",
    off: "Off",
    classic: "100-200-300",
    season: "This season's cone",
    /** How it is derived. @param thresholdKt Of the wind whose reach it has. */
    rule: ({
      thresholdKt,
      method,
      estimated,
    }: {
      thresholdKt: number;
      method: "classic" | "season";
      /** Some of the reaches are. */
      estimated: boolean;
    }) => {
      const error = method === "classic" ? "100 n mi a day (1-2-3 rule)" : "the radius of the cone";
      return `reach of ${thresholdKt} kn${estimated ? ", partly estimated" : ""} and ${error}, to 72 h`;
    },
    /** @param rule As of `rule`. */
    text: (rule: string) => `The ${rule}. It does not remove all risk.`,
    noForecast: "There is no forecast to draw it from.",
  },
  cone: {
    title: "Cone:",
    jma: "JMA's own 70 % probability circles",
    /**
     * Of which table its radii are.
     *
     * @param missing The season whose table should be used.
     * @param basin Whose table is borrowed.
     */
    table: ({
      year,
      missing,
      basin,
    }: {
      year: number | null;
      missing: number | undefined;
      basin: string | undefined;
    }) => {
      const unknown = missing === undefined ? "" : ` (that of ${missing} is not known here yet)`;
      const borrowed = basin === undefined ? "" : `, borrowed from the ${basin}`;
      return `NHC's table of ${year}${unknown}, two thirds of forecast errors${borrowed}`;
    },
    text: {
      jma: (origin: string) =>
        `${origin}. The centre is expected to stay inside it about 7 times in 10; wind and sea reach beyond it.`,
      nhc: (origin: string) =>
        `${origin}. The centre is expected to stay inside it about 2 times in 3; wind and sea reach beyond it.`,
    },
  },

  chart: {
    wind: (minutes: number) => `Wind, kn (${minutes}-minute mean)`,
    pressure: "Lowest pressure, hPa",
    label: ({
      title,
      first,
      last,
      min,
      max,
    }: {
      title: string;
      first: number;
      last: number;
      min: number;
      max: number;
    }) => `${title}: from ${first} to ${last}, between ${min} and ${max}`,
  },

  forecast: {
    caption: (minutes: number) => `Forecast, winds as ${minutes}-minute means`,
    time: "Time",
    wind: { what: "Wind,", unit: "kn" },
    centre: "Centre",
    reach: (thresholdKt: number): ColumnTitle => ({ what: `${thresholdKt} kn,`, unit: "n mi" }),
    cone: { what: "Cone,", unit: "n mi" },
    seas: (quadrants: string) => `12 ft seas ${quadrants}`,
  },

  errors: {
    title: "Forecast against what came",
    tooEarly: (bulletins: number) =>
      plural("en", bulletins, {
        one: "Too early: one bulletin is stored here, and none of their forecast times has been observed yet.",
        other: `Too early: ${bulletins} bulletins are stored here, and none of their forecast times has been observed yet.`,
      }),
    chart: "Mean error of the track, n mi, by lead in hours",
    chartLabel: (means: readonly { miles: string; hours: number }[]) =>
      `Mean error of the track: ${means.map(({ miles, hours }) => `${miles} n mi at ${hours} h`).join(", ")}`,
    caption: "Mean error of the forecasts so far, by lead",
    lead: { what: "Lead,", unit: "h" },
    forecasts: "Forecasts",
    track: { what: "Track,", unit: "n mi" },
    wind: { what: "Wind,", unit: "kn" },
    /** How many, where that is too few. */
    few: (count: number) => `${count} (few)`,
    means: ({ bulletins, minutes }: { bulletins: number; minutes: number }) => {
      const count = plural("en", bulletins, { one: "one bulletin", other: `${bulletins} bulletins` });
      return `Means of ${count} against the track as it is known now. Wind: ${minutes}-minute means; in brackets the mean with its sign, minus where the forecasts were too weak.`;
    },
    tooFew: (least: number) =>
      `Fewer than ${least} forecasts of a lead are too few to judge the next one by.`,
    leftOut: (count: number) => `${count} forecasts of other leads are left out.`,
  },

  peer: {
    region: "The other provider",
    title: ({ provider, id }: { provider: string; id: string }) => `${provider} on this storm (${id})`,
    winds: ({ other, own }: { other: string; own: string }) =>
      `Strongest wind ${other}, against ${own}: the two are not comparable.`,
    apart: (miles: string) => `Centres now ${miles} apart.`,
    /** @param later Distance of the two forecasts, and in how many hours. */
    apartLater: ({ now, later, hours }: { now: string; later: string; hours: number }) =>
      `Centres now ${now} apart, ${later} in ${hours} h by their forecasts.`,
    compare: "Compare the tracks",
    closeFilm: "Close the film to see both tracks on the map.",
    onMap: (provider: string) =>
      `On the map: ${provider} in the colour of the labels, with a line between the centres of the same time.`,
    noCommonTime: "The two tracks have no time in common.",
    table: "The two tracks by time",
    caption: "Distance of the two centres and their winds, by time",
    time: "Time",
    distance: { what: "Apart,", unit: "n mi" },
    wind: ({ agency, minutes }: { agency: string; minutes: number }): ColumnTitle => ({
      what: `${agency},`,
      unit: `kn, ${minutes}-min`,
    }),
    difference: { what: "Differ by,", unit: "kn" },
    forecast: "Forecast",
    observed: "Observed, newest first",
    note: ({ shorter, longer }: { shorter: number; longer: number }) =>
      `A ${shorter}-minute mean is higher than a ${longer}-minute mean of the same wind: a difference of winds is not an error of one of the two.`,
    interpolated: "≈: one of the two is interpolated.",
  },

  film: {
    button: "Film",
    open: "The map shows this storm alone. This card is of the bulletin in force where the film rests, or of the first one stored.",
    closed: "The track as it grew, with the forecast and the cone of each bulletin.",
    region: "Film of the storm",
    close: "Close the film",
    readingStorms: "Reading the storms…",
    back: "Back to the fix or bulletin before",
    forward: "On to the next fix or bulletin",
    play: "Play the film",
    pause: "Pause the film",
    time: "Time of the film",
    /** Before the time that is shown. */
    name: (name: string) => `${name}, `,
    /** What is read out of the slider. */
    at: ({ time, state }: { time: string; state: string }) => `${time}, ${state}`,
    beforeFirst: "before the first stored bulletin",
    bulletin: ({ number, count }: { number: number; count: number }) => `bulletin ${number} of ${count}`,
  },

  save: {
    button: "Save as a file",
    geojson: "GeoJSON, everything",
    gpx: "GPX, for a plotter",
    track: "CSV, the track",
    cone: "CSV, the cone",
    danger: "CSV, the danger area",
  },
};

export type StormCardWords = typeof stormCard;
