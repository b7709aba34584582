import { stormProviders } from "@open-metocean/storms/providers";
import { z } from "zod";
import { MAX_MODELS } from "#lib/catalog/source-order.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import { mapLimits, mapResponse } from "./map2d.ts";
import { formatNames } from "./media-types.ts";
import { latitude, longitude, modelList, pointLimits, taskName, utcInstant } from "./point.ts";

/** Limits of files, in addition to those of 2D answers. */
export const fileLimits = {
  waypoints: 500,
  /** Half the width of a corridor, or the radius around a storm, nautical miles. */
  miles: 1000,
  stride: 40,
  points: 100,
} as const;

/** Steps that a file can have: hours that divide a day. */
export const stepHours = [1, 2, 3, 4, 6, 8, 12, 24] as const;

const miles = z.number().positive().max(fileLimits.miles);

export const areaBox = z.object({
  type: z.literal("box"),
  latitude: z
    .array(latitude)
    .length(2)
    .refine(([south = 0, north = 90]) => !(south > north), {
      error: "latitude should be [min_latitude, max_latitude], the minimum first",
    })
    .describe("[min_latitude, max_latitude], degrees north"),
  longitude: z
    .array(longitude)
    .length(2)
    .describe(
      "[min_longitude, max_longitude], degrees east; a minimum greater than the maximum crosses the antimeridian",
    ),
});

const storm = z.object({
  type: z.literal("storm"),
  provider: z.enum(stormProviders),
  id: z.string().min(1).max(40).describe("Id of the storm as in GET /storms"),
  radius_nm: miles
    .default(300)
    .describe("Distance from the last position and the forecast track, nautical miles"),
});

const route = z.object({
  type: z.literal("route"),
  waypoints: z
    .array(z.object({ latitude, longitude }))
    .min(1)
    .max(fileLimits.waypoints)
    .describe("Waypoints, joined by rhumb lines"),
  half_width_nm: miles.default(60).describe("Distance on either side of the route, nautical miles"),
});

const points = z.object({
  type: z.literal("points"),
  points: z
    .array(z.object({ latitude, longitude }))
    .min(1)
    .max(fileLimits.points)
    .describe("Points, each with a time series; the series follow one another in the file"),
});

const { grib2, netcdf, csv, xlsx, json } = formatNames;

export const fileFormats = {
  grib2: { simple: grib2, complex: formatNames["grib2-complex"] },
  netcdf: { simple: netcdf, complex: netcdf },
  csv: { simple: csv, complex: csv },
  xlsx: { simple: xlsx, complex: xlsx },
  json: { simple: json, complex: json },
} as const;

/** Body of POST /files. */
export const fileRequest = z
  .object({
    area: z
      .discriminatedUnion("type", [areaBox, storm, route, points])
      .describe("Nodes farther from the track of the storm, or from the route, than requested are missing"),
    variables: z.array(z.enum(variableNames)).min(1),
    models: modelList,
    from: utcInstant.describe("First time, UTC"),
    to: utcInstant.describe("Last time, UTC, at most 31 days later except at points"),
    step_hours: z
      .union(stepHours.map((hours) => z.literal(hours)))
      .optional()
      .describe(
        "Hours between times, as whole multiples since midnight UTC; default: all native steps of the variables, at points every hour",
      ),
    stride: z
      .int()
      .min(1)
      .max(fileLimits.stride)
      .default(1)
      .describe("Every n-th row and column of the grid, from the south-west node"),
    wind_height: z
      .number()
      .min(10)
      .max(100)
      .default(10)
      .describe("Height of the wind, metres above the surface"),
    format: z
      .enum(["grib2", "netcdf", "csv", "xlsx", "json"])
      .default("grib2")
      .describe("For points netcdf, csv, xlsx or json; for all other areas grib2, netcdf or csv"),
    packing: z
      .enum(["simple", "complex"])
      .default("simple")
      .describe(
        "Packing of GRIB2: simple for navigation programs; complex makes smaller files, which eccodes, cdo, xarray and OpenCPN can read",
      ),
    estimate: z.boolean().default(false).describe("true returns only the estimated size of the file"),
    async: z.boolean().default(false).describe("true makes a task, whose result is at /task/{task_id}"),
    task_name: taskName.optional(),
    receive_mail: z
      .boolean()
      .default(false)
      .describe("true sends one e-mail to the owner of the key when the task ends"),
  })
  .superRefine(({ area, from, to, step_hours, format, variables, models, async: isTask }, context) => {
    const answers = Math.max(1, new Set(models).size);
    const span = parseInstant(to) - parseInstant(from);
    const issue = (path: string, message: string) =>
      context.addIssue({ code: "custom", message, path: [path] });
    if (span < 0) issue("to", "The end of a time range should not be before its start");
    if (area.type === "points") {
      const values = answers * area.points.length * (Math.floor(span / ((step_hours ?? 1) * HOUR_S)) + 1);
      if (values > pointLimits.sync)
        issue(
          "to",
          `The file would have ${values} values (points × times${answers > 1 ? " × models" : ""}), and at most ${pointLimits.sync} are allowed: choose a longer step or a shorter range, or use POST /MetOcean/async`,
        );
      if (isTask)
        issue("async", "A file at points cannot be a task: use POST /MetOcean/async for larger requests");
      if (format === "grib2") issue("format", "A file at points should be netcdf, csv, xlsx or json");
      return;
    }
    if (format === "xlsx" || format === "json")
      issue("format", `Only a file at points can be ${format}: choose grib2, netcdf or csv`);
    if (span > mapLimits.rangeDays * DAY_S)
      issue(
        "to",
        `A time range should span at most ${mapLimits.rangeDays} days: request shorter ranges one after another`,
      );
    if (format === "grib2" && answers > 1)
      issue("models", "GRIB2 does not name models: choose netcdf or csv, or request a file for each model");
    const without = variables.find((name) => typeof variable(name).grib2 === "string");
    if (format === "grib2" && without)
      issue("variables", `GRIB2 has no ${without}: ${variable(without).grib2}. Choose netcdf or csv`);
  });

export type FileRequest = z.infer<typeof fileRequest>;

const { result } = mapResponse.shape;
const one = result.shape.results.element;

/**
 * Result of a finished task of POST /files, as JSON: as for a time range of POST /2DMetOcean, with the fields
 * of the file.
 */
export const fileResponse = mapResponse.extend({
  result: result.extend({
    results: z
      .array(
        one.extend({
          conditions: z
            .record(z.string(), z.array(z.array(z.array(z.number().nullable()))))
            .describe(
              "Values of each field as [time][latitude][longitude]; for GRIB2 vectors are components",
            ),
        }),
      )
      .min(1)
      .max(MAX_MODELS),
  }),
});

const count = z.int().nonnegative();

/** Answer of POST /files to a request for the size only. */
export const fileEstimate = z.object({
  estimate: z.object({
    format: fileRequest.shape.format,
    bytes: count.describe("Approximate size of the file, bytes, before compression of the transfer"),
    values: count.describe("steps × rows × columns × fields × models, which the limits of GET /limits count"),
    steps: count,
    rows: count,
    columns: count,
    fields: count,
    models: count.optional().describe("Number of models; present where the request names them"),
    at_once: z.boolean().describe("true if the file is small enough for a synchronous answer"),
    as_task: z.boolean().describe("true if the file is small enough for a task"),
    latitude: z.array(z.number()).length(2).describe("First and last row, degrees north"),
    longitude: z.array(z.number()).length(2).describe("First and last column, west to east, degrees east"),
    resolution: z.array(z.number()).length(2).describe("Distance between rows and between columns, degrees"),
    from: z.string(),
    to: z.string(),
  }),
});
