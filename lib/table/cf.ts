import { fields } from "#lib/catalog/fields.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { type MapField, valueOfEntry } from "#lib/field/map-field.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { parseInstant } from "#lib/time.ts";
import { type Component, componentOf } from "./components.ts";
import { type NetcdfColumn, type NetcdfContent, netcdfPieces } from "./netcdf.ts";
import { type About, aboutOf, mapOutputs, type Origin, pointOutputs, type Table } from "./table.ts";

/** Units as UDUNITS writes them. */
const udunits: Readonly<Record<string, string>> = {
  "°": "degree",
  "m/s": "m s-1",
  "mm/h": "kg m-2 h-1",
  "°C": "degree_Celsius",
  "J/kg": "J kg-1",
};

export const axes = {
  time: {
    standard_name: "time",
    units: "seconds since 1970-01-01T00:00:00Z",
    calendar: "standard",
    axis: "T",
  },
  latitude: { standard_name: "latitude", units: "degrees_north", axis: "Y" },
  longitude: { standard_name: "longitude", units: "degrees_east", axis: "X" },
};

/**
 * The points of an answer as a CF discrete sampling geometry (featureType point): one dimension, with place and time as
 * auxiliary coordinates.
 */
export function pointNetcdf({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const dimensions = ["point"];
  return netcdfPieces({
    dimensions: [{ name: "point", length: rows }],
    attributes: { ...globalsOf(about), featureType: "point" },
    variables: columns.map(({ name, value }): NetcdfColumn => {
      const axis = name === "timestamp" ? "time" : (name as keyof typeof axes);
      if (axis in axes) {
        const { axis: _letter, ...attributes } = axes[axis];
        return { name: axis, dimensions, attributes, value };
      }
      const attributes = { ...attributesOf(pointOutputs.get(name)), coordinates: "time latitude longitude" };
      return { name, dimensions, attributes, value };
    }),
  });
}

/** A 2D answer with the axes time, latitude and longitude. Longitudes continue past 180, so that they ascend. */
export function mapNetcdf(field: MapField, origin: Origin): Generator<Uint8Array, void, undefined> {
  const { latitude, times, outputs } = field;
  const longitude = ascending(field.longitude);
  const instants = times.map(parseInstant);
  const axis = (name: keyof typeof axes, values: ArrayLike<number>): NetcdfColumn => ({
    name,
    dimensions: [name],
    attributes: axes[name],
    value: (at) => values[at]!,
  });
  const content: NetcdfContent = {
    dimensions: [
      { name: "time", length: times.length },
      { name: "latitude", length: latitude.length },
      { name: "longitude", length: longitude.length },
    ],
    attributes: globalsOf(aboutOf(origin)),
    variables: [
      axis("time", instants),
      axis("latitude", latitude),
      axis("longitude", longitude),
      ...outputs.map(
        ({ name, decimals, entries }): NetcdfColumn => ({
          name,
          dimensions: ["time", "latitude", "longitude"],
          attributes: attributesOf(mapOutputs.get(name) ?? componentOf(name)),
          value: (at) => valueOfEntry(entries[at]!, decimals),
        }),
      ),
    ],
  };
  return netcdfPieces(content);
}

/** Longitudes from west to east, without the jump at 180. */
export function ascending(longitude: Float64Array): Float64Array {
  return longitude.map((value) => (value < longitude[0]! ? value + 360 : value));
}

export function globalsOf({ notice, provenance }: About): Record<string, string> {
  return { Conventions: "CF-1.8", title: SERVICE_NAME, comment: notice, source: provenance || "unknown" };
}

export function attributesOf(output: Output | Component | undefined): Record<string, string | number> {
  const filled = { _FillValue: Number.NaN };
  if (!output) return filled;
  const { title, unit } = output;
  return { ...filled, long_name: title, units: udunits[unit] ?? unit, standard_name: standardName(output) };
}

/** CF standard name of an output. */
export function standardName(output: Output | Component): string {
  return "standardName" in output ? output.standardName : fields[output.of[0]].standardName;
}
