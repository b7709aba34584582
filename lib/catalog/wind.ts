import { type Field, field } from "./variable-row.ts";

/** Heights above the surface at which wind is stored, metres. */
export const windHeights = [10, 20, 30, 40, 50, 80, 100] as const;

type Height = (typeof windHeights)[number];

type Toward = "eastward" | "northward";

type WindField = `${Toward}_wind_${Height}m`;

const heightNames = (toward: Toward) =>
  Object.fromEntries(windHeights.map((height) => [height, `${toward}_wind_${height}m`])) as Record<
    Height,
    WindField
  >;

// Names are built once: looking up a string that is concatenated for each request is slow.
const names: Record<Toward, Record<Height, WindField>> = {
  eastward: heightNames("eastward"),
  northward: heightNames("northward"),
};

/** Stored components of the wind at every height. */
export const windFields = Object.fromEntries(
  windHeights.flatMap((height) =>
    (["eastward", "northward"] as const).map((toward) => [
      windField(toward, height),
      field(`${toward}_wind`, `${toward} wind at ${height} m`, "m s-1", { scale: 0.01, min: -130, max: 130 }),
    ]),
  ),
) as Record<WindField, Field>;

const heightsByField = new Map<string, Height>(
  windHeights.flatMap((height) => [
    [names.eastward[height], height],
    [names.northward[height], height],
  ]),
);

/** The height of a stored wind component, metres; undefined for any other field. */
export function heightOfWind(field: string): Height | undefined {
  return heightsByField.get(field);
}

/** Name of the stored wind component at a height. */
export function windField(toward: Toward, height: Height): WindField {
  return names[toward][height];
}
