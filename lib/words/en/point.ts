/** Conditions at a point. Titles and names begin with a capital letter: "Waves". */
export const point = {
  title: "Conditions",
  reading: "Reading the forecast…",
  choose: "Click the sea, or press Enter on the map, for its conditions.",
  tap: "Tap the sea for its conditions.",
  unreadable: "The conditions could not be read.",
  notRead: "The conditions were not read yet.",
  forget: "Forget this position",
  allValues: "All values",
  everyThreeHours: "Every three hours",
  copyAsCurl: "Copy as curl",
  /** On paper. @param runs The runs that answered. */
  values: (runs: string) => `Values: ${runs}`,
  /** One of the runs that answered; without a base time where the values do not change. */
  run: ({ model, dataset, run }: { model: string; dataset: string; run: string | undefined }) =>
    run === undefined ? `${model} (${dataset})` : `${model} (${dataset}), run ${run}`,
  absent: "— not available",
  absentBecause: (reason: string) => `— not available (${reason})`,
  onLand: "on land",
  reasons: {
    land: "land in the model",
    ice: "under ice",
    out_of_archive: "not in archive",
    out_of_domain: "outside the area",
    missing: "no value",
  },
  /** `249° (west-southwest)`. */
  bearing: ({ bearing, point }: { bearing: string; point: string }) => `${bearing} (${point})`,
  /**
   * `28 kn from west-southwest (249°), gusts 35 kn`, `5.2 m, 9.4 s from west (270°)`: a value, its period, the point of the
   * compass that it comes from or sets to, and what other variables add. Read aloud the point has no bearing.
   */
  line: ({ value, period, from, towards, bearing, mentions }: PointLine) => {
    const degrees = bearing === undefined ? "" : ` (${bearing})`;
    const direction = from ? ` from ${from}${degrees}` : towards ? ` setting ${towards}${degrees}` : "";
    const added = mentions.map(({ name, value: other }) => `, ${name} ${other}`);
    return [value, period === undefined ? "" : `, ${period}`, direction, ...added].join("");
  },
  notAvailable: "not available",
  /** A line as read aloud. */
  spokenLine: ({ name, line }: { name: string; line: string }) => `${name} ${line}.`,
  /** A time or a place, then sentences. */
  heading: ({ of, sentences }: { of: string; sentences: string }) => `${of}. ${sentences}`,
  /** The current in the shortest line: `set 100° 0.2`. */
  set: ({ bearing, speed }: { bearing: string; speed: string }) =>
    ["set", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "Time of the map, on the meteogram",
    /** The values shown are of another time than that of the map. */
    valuesOf: ({ time, of, values }: { time: string; of: string; values: string }) =>
      `${time}. At ${of}: ${values}`,
    /** `Wind and gusts (dashed), kn`. @param period Numbers below are periods in seconds. */
    title: ({ name, dashed, unit, period }: ChartTitle) => {
      const title = [name, ...dashed.map((other) => `${other} (dashed)`)].join(" and ");
      return `${title}, ${unit}${period ? "; below: period, s" : ""}`;
    },
    gale: (speed: string) => `gale ${speed}`,
    arrows: (names: readonly string[]) =>
      `Arrows point to where these go: ${names.join(", ").toLowerCase()}.`,
    sparse: "Current: no arrows, they would not show the tide.",
  },
  table: {
    caption: "Conditions over the coming days",
    wind: (unit: string) => `Wind from, ${unit}`,
    gusts: "Gusts",
    waves: (unit: string) => `Waves from, ${unit}, s`,
    current: (unit: string) => `Current to, ${unit}`,
    show: ({ day, clock }: { day: string; clock: string }) => `Show ${day} ${clock} on the map`,
  },
  shore: {
    onLand: "This position is on land. Sea values are not available.",
    landInModel: "No sea value in the model here: its cell is land.",
    searching: "Looking for the nearest sea cell…",
    none: (distance: string) => `There is no sea cell within ${distance}.`,
    failed: "The nearest sea cell could not be looked for.",
    nearest: (where: string) => `Nearest sea cell ${where}`,
    /** `6 n mi W (270°)`. */
    where: ({ distance, point, bearing }: { distance: string; point: string; bearing: string }) =>
      `${distance} ${point} (${bearing})`,
    use: "Use it",
  },
  old: {
    offline: ({ shown, wanted }: { shown: string; wanted: string }) =>
      `As of ${shown}, offline. The values of ${wanted} were not read.`,
    reading: ({ shown, wanted }: { shown: string; wanted: string }) =>
      `As of ${shown}. The values of ${wanted} are being read.`,
    readAt: (time: string) => `Offline. Read ${time}.`,
    asOf: (time: string) => `As of ${time}`,
    asOfOffline: (time: string) => `As of ${time}, offline`,
  },
};

export interface PointLine {
  value: string;
  period: string | undefined;
  /** Point of the compass, in words; one of the two at most. */
  from: string | undefined;
  towards: string | undefined;
  /** `249°`. */
  bearing: string | undefined;
  /** `gusts`, `35 kn`. */
  mentions: readonly { name: string; value: string }[];
}

export interface ChartTitle {
  name: string;
  /** What is drawn dashed. */
  dashed: readonly string[];
  unit: string;
  period: boolean;
}

export type PointWords = typeof point;
