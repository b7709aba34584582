import { acceptedTimes, type DatasetName, datasetAges } from "#lib/catalog/datasets.ts";
import { type Output, type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { DAY_S } from "#lib/time.ts";

/** What `edr/collections/{id}` offers. */
export interface EdrCollection {
  id: string;
  title: string;
  description: string;
  variables: readonly VariableName[];
  /** Whose runs are its instances. */
  datasets: readonly DatasetName[];
}

const moving = variableNames.filter((name) => !variable(name).static);
const forecast = ["Forecast"] as const;

export const edrCollections: readonly EdrCollection[] = [
  {
    id: "forecast",
    title: "Weather forecast",
    description: "Wind, gusts and weather, from 5 days back to 10 days ahead; the newest run answers.",
    variables: ["wind", "gust", "rain", "mucape", "temp", "cloud", "pressure"],
    datasets: forecast,
  },
  {
    id: "waves",
    title: "Wave forecast",
    description: "The whole sea, swell and wind waves, from 5 days back to 10 days ahead.",
    variables: ["wave", "extra_wave"],
    datasets: forecast,
  },
  {
    id: "currents",
    title: "Currents and sea temperature",
    description: "Currents and tides, and the temperature of the sea, from 5 days back to 10 days ahead.",
    variables: ["current", "sst"],
    datasets: forecast,
  },
  {
    id: "hindcast",
    title: "Hindcast",
    description:
      "What was, from 3 years to 5 days back. Rain, CAPE, air temperature, cloud and pressure reach 6 months back, and are null before.",
    variables: moving,
    datasets: ["Hindcast-3M", "Hindcast-3Y"],
  },
  {
    id: "static",
    title: "Depth of the sea",
    description: "What does not change with time.",
    variables: variableNames.filter((name) => variable(name).static),
    datasets: ["Static"],
  },
];

export const isStatic = ({ datasets }: EdrCollection): boolean => datasets[0] === "Static";

/** Times that a collection takes, Unix seconds, both included. @param now Weather clock, Unix seconds. */
export function timesOfCollection(collection: EdrCollection, now: number): { first: number; last: number } {
  const { first, last } = acceptedTimes(now);
  if (isStatic(collection)) return { first, last };
  const change = now - datasetAges.Forecast * DAY_S;
  return collection.datasets[0] === "Forecast" ? { first: change, last } : { first, last: change };
}

/** The parameters of variables, by their names at points. */
export function parametersOf(names: readonly VariableName[]): { name: VariableName; output: Output }[] {
  return names.flatMap((name) => variable(name).outputs.map((output) => ({ name, output })));
}
