/** What is read on the map and below it. Titles of what is drawn begin with a capital letter: "Wind speed". */
export const map = {
  /** Name of the element of the map, for screen readers. */
  title: "Weather map",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  /** Centres of high and low pressure. */
  high: "H",
  low: "L",
  noValue: "no value",
  /** After a value that is of another time than the one wanted. */
  ofTime: (time: string) => `of ${time}`,
  /** `23 kn from WNW`, beside the pointer. */
  from: ({ value, point }: { value: string; point: string }) => `${value} from ${point}`,
  /** `1.2 kn setting E`. */
  setting: ({ value, point }: { value: string; point: string }) => `${value} setting ${point}`,
  loading: (title: string) => `Loading ${title.toLowerCase()}…`,
  /** Commands stand between backticks. */
  empty: ({ title, ingest, feeds }: { title: string; ingest: string; feeds: string }) =>
    `The archive has no ${title.toLowerCase()} yet. Run \`${ingest}\` to fill it, or \`${feeds}\` to have forecasts fetched.`,
  awaited: (title: string) => `No data yet: ${title.toLowerCase()}. The first forecast is being fetched.`,
  outside: (title: string) => `The archive has no ${title.toLowerCase()} for this time.`,
  broken:
    "The map cannot be drawn: this browser has no WebGL 2. Search for a place or a position to see its conditions.",
  beyondAhead: (days: number) =>
    `Forecasts are shown up to ${days} days ahead: the map stays at the last time.`,
  beyondPast: (years: number) =>
    `The archive is shown up to ${years} years back: the map stays at the first time.`,
  /** What is drawn is not what is wanted. */
  old: (field: string) => `Old: ${field}`,
  fieldOf: ({ title, time }: { title: string; time: string }) => `${title} of ${time}`,
  linesOutside: (title: string) => `${title}: the archive has none for this time.`,
  linesFailed: (title: string) => `${title}: the server could not answer.`,
  /** Where the numbers of something come from that does not change with time. */
  fixedSource: ({ title, model, dataset }: { title: string; model: string; dataset: string }) =>
    `${title}: ${model} · ${dataset}, the same at any time`,
  /**
   * Where the numbers come from. The age first: a phone shows only the beginning.
   *
   * `age` and `reach` are hours, of a forecast; `run` and `valid` are times, `between` those that it was interpolated between.
   */
  source: ({ title, model, age, reach, run, valid, between }: MapSource) => {
    const forecast =
      age === undefined ? "" : `, ${age} h old${reach === undefined ? "" : `, to T+${reach} h`}`;
    const steps = between ? `, interpolated between ${between[0]} and ${between[1]}` : "";
    return `${title}: ${model}${forecast} · run ${run} UTC · valid ${valid}${steps}`;
  },
  /** Of lines over a layer. */
  secondarySource: ({ title, model, run }: { title: string; model: string; run: string | undefined }) =>
    `${title}: ${model}${run === undefined ? "" : ` · run ${run} UTC`}`,
};

export interface MapSource {
  title: string;
  model: string;
  age: number | undefined;
  reach: number | undefined;
  run: string;
  valid: string;
  between: readonly [from: string, to: string] | undefined;
}

export type MapWords = typeof map;
