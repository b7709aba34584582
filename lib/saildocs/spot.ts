import { toKnots } from "@open-metocean/geo/knots";
import { type OutputName, type VariableName, variable } from "#lib/catalog/variables.ts";

/** How a number is written in a table that is read over a radio: a short heading, few digits. */
interface Column {
  heading: string;
  text(value: number): string;
}

const bearing = (heading: string): Column => ({
  heading,
  text: (value) => String(Math.round(value) % 360).padStart(3, "0"),
});
const number = (heading: string, decimals = 0): Column => ({
  heading,
  text: (value) => value.toFixed(decimals),
});
const knots = (heading: string, decimals = 0): Column => ({
  heading,
  text: (value) => toKnots(value).toFixed(decimals),
});

const columns: Partial<Record<OutputName, Column>> = {
  Winds_10m_Direction: bearing("FROM"),
  Winds_10m_Intensity: knots("KN"),
  Gust_10m: knots("GUST"),
  Pressure: number("HPA"),
  Waves_Significant_Height: number("WAVE-M", 1),
  Waves_Mean_Period: number("SEC"),
  Waves_Mean_Direction: bearing("FROM"),
  Swell_Significant_Height: number("SWELL-M", 1),
  Swell_Mean_Period: number("SEC"),
  Swell_Mean_Direction: bearing("FROM"),
  Windwaves_Significant_Height: number("SEA-M", 1),
  Windwaves_Mean_Period: number("SEC"),
  Windwaves_Mean_Direction: bearing("FROM"),
  Precipitation: number("MM/H", 1),
  Cloud_Cover: number("CLOUD%"),
  Temperature_2m: number("AIR-C"),
  MUCAPE: number("CAPE"),
  Sea_Surface_Temperature: number("SEA-C", 1),
  Currents_Direction: bearing("TO"),
  Currents_Intensity: knots("KN", 1),
};

/** The conditions at one time. */
export interface SpotRow {
  /** `YYYY-MM-DDThh:mm:ssZ`. */
  timestamp: string;
  conditions: Readonly<Record<string, number | null>>;
}

/**
 * Writes a series at a place as a table of plain text, one line for each time: the day of the month and the hour in UTC,
 * wind in knots with the direction that it comes from in degrees, waves in metres and seconds. A dash is a missing value.
 *
 * @param rows In the order of time. Rows at the end without any value are left out.
 */
export function spotTable(variables: readonly VariableName[], rows: readonly SpotRow[]): string[] {
  const names = variables.flatMap((name) => variable(name).outputs.map(({ point }) => point));
  const shown = names.flatMap((name) => {
    const column = columns[name];
    return column ? [{ name, ...column }] : [];
  });
  const last = rows.findLastIndex(({ conditions }) =>
    shown.some(({ name }) => typeof conditions[name] === "number"),
  );
  const table = [
    ["DAY", "UTC", ...shown.map(({ heading }) => heading)],
    ...rows.slice(0, last + 1).map(({ timestamp, conditions }) => [
      timestamp.slice(8, 10),
      `${timestamp.slice(11, 13)}Z`,
      ...shown.map(({ name, text }) => {
        const value = conditions[name];
        return typeof value === "number" ? text(value) : "-";
      }),
    ]),
  ];
  const widths = table[0]!.map((_, at) => Math.max(...table.map((line) => line[at]!.length)));
  return table.map((line) => line.map((cell, at) => cell.padStart(widths[at]!)).join(" "));
}
