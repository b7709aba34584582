import { z } from "zod";
import { map2dVariables, variable } from "#lib/catalog/variables.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { boxEnsemble, ensembleProvenance } from "./ensemble.ts";
import { modelList, pointMeta, taskName, utcInstant } from "./point.ts";

/**
 * Largest answers: values = steps × rows × columns × fields × models. Above `sync` the request must be a task, above
 * `async` it must be split.
 */
export const mapLimits = { sync: 8_000_000, async: 50_000_000, rangeDays: 31 } as const;

const range = z
  .array(utcInstant)
  .length(2)
  .refine((ends) => span(ends) >= 0 || Number.isNaN(span(ends)), {
    error: "The start of a time range should not be after its end",
  })
  .refine((ends) => !(span(ends) > mapLimits.rangeDays * DAY_S), {
    error: `A time range should span at most ${mapLimits.rangeDays} days: request shorter ranges one after another`,
  });

function span([start = "", end = ""]: readonly string[]): number {
  return parseInstant(end) - parseInstant(start);
}

const boundingBox = z.object({
  latitude: z
    .array(z.number().min(-90).max(90))
    .length(2)
    .refine(([south = 0, north = 90]) => !(south > north), {
      error: "latitude should be [min_latitude, max_latitude], the minimum first",
    })
    .describe("[min_latitude, max_latitude], degrees north"),
  longitude: z
    .array(z.number().min(-180).max(180))
    .length(2)
    .describe(
      "[min_longitude, max_longitude], degrees east, from −180 to 180; a minimum greater than the maximum crosses the antimeridian",
    ),
  timestamp: z
    .union([utcInstant, range])
    .describe("One UTC time, or the start and the end of a range of at most 31 days"),
});

/** Body of POST /2DMetOcean. */
export const mapRequest = z.object({
  bounding_boxes: z.array(boundingBox).length(1),
  variable: z.enum(map2dVariables),
  models: modelList,
  ensemble: boxEnsemble.optional(),
  async: z.boolean().default(false).describe("true makes a task, whose result is at /task/{task_id}"),
  task_name: taskName.optional(),
  receive_mail: z
    .boolean()
    .default(false)
    .describe("true sends one e-mail to the owner of the key when the task ends"),
  include_meta: z
    .boolean()
    .default(false)
    .describe("true adds result.meta, which states the sources of the numbers"),
});

export type MapRequest = z.infer<typeof mapRequest>;

export type Map2dVariable = MapRequest["variable"];

export const mapMeta = z.object({
  provenance: pointMeta.shape.provenance.describe(
    "The runs that answered; points is the number of nodes × steps",
  ),
  nulls: z
    .array(
      z.object({
        answer: z
          .string()
          .optional()
          .describe("Model of the request that has no value; absent where none is named"),
        reason: z.enum(["out_of_archive", "out_of_domain", "missing"]),
        points: z.int(),
      }),
    )
    .describe(
      "Number of nodes × steps without a value, by reason; for variables of the sea missing means land or ice",
    ),
  ensembles: z
    .array(ensembleProvenance)
    .optional()
    .describe("The runs of the ensemble that answered, where the request names one"),
  caution: z
    .string()
    .optional()
    .describe(
      "What the numbers of an ensemble are not: shares of raw members are not calibrated probabilities",
    ),
});

export type MapMeta = z.infer<typeof mapMeta>;

const rows = z.array(z.array(z.number().nullable()));

/**
 * A field of `conditions` is a list of rows, one per latitude; for a time range it is a list of those, one
 * per step.
 */
const conditions = z
  .object(
    Object.fromEntries(
      map2dVariables.flatMap((name) =>
        variable(name).outputs.flatMap(({ map2d, title, unit }) =>
          map2d === undefined
            ? []
            : [
                [
                  map2d,
                  z
                    .union([rows, z.array(rows)])
                    .optional()
                    .describe(`${title}, ${unit}`),
                ],
              ],
        ),
      ),
    ),
  )
  .catchall(
    z.union([rows, z.array(rows)]).describe("Statistic of an ensemble, such as Winds_10m_Intensity_p90"),
  );

/** Answer of POST /2DMetOcean. */
export const mapResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z
      .array(
        z.object({
          coordinates: z.object({
            latitude: z.array(z.number()).describe("Latitudes, ascending, degrees north"),
            longitude: z
              .array(z.number())
              .describe(
                "Longitudes from west to east, degrees east, from −180 to 180 also if the box crosses the antimeridian",
              ),
            timestamp: z
              .union([z.string(), z.array(z.string())])
              .describe("One time, or for a range the list of times"),
            model: z
              .string()
              .optional()
              .describe("Model that answers; present where the request names models"),
            member: z
              .int()
              .optional()
              .describe("Member of the ensemble; present where the request asks for members"),
          }),
          conditions,
        }),
      )
      .min(1)
      .describe(
        "One result; where the request names models or asks for members, one for each, all on the same grid and times",
      ),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: mapMeta.optional(),
  }),
});
