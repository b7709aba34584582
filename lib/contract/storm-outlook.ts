import { z } from "zod";
import { likelihoods } from "./likelihoods.ts";

const unixSeconds = z.int().describe("Unix time, seconds, UTC");

const place = z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });

const percent = z.int().min(0).max(100).nullable();

const likelihood = z.enum(likelihoods);

/** Longest text of an agency on one system, characters: real ones have some hundreds. */
export const MAX_PARAGRAPH = 4000;

const paragraph = z.string().max(MAX_PARAGRAPH);

/** Longest name of an area: `South of the Southwestern Coast of Mexico (EP95)`. */
export const MAX_AREA_NAME = 100;

/** Winds in an area, kt: the range that the text states. */
const winds = z.strictObject({ min: z.int().min(0).max(250), max: z.int().min(0).max(250) }).nullable();

/** What an agency expects of an area: how likely a tropical cyclone forms there, and in which time. */
const chance = {
  likelihood,
  within_hours: z.int().positive().describe("hours that likelihood refers to: 24 (JTWC) or 168 (NHC, CPHC)"),
  percent_48h: percent.describe("probability within 48 h, %; null where the agency states none (JTWC)"),
  percent_7d: percent.describe("probability within 7 days, %; null where the agency states none (JTWC)"),
};

/** Additive field of a storm entry: the newest statement on whether an invest becomes a tropical cyclone. */
export const stormDevelopment = z.strictObject({
  ...chance,
  issued_at: unixSeconds.describe("when it was issued"),
});

/** Additive field of a storm entry: JTWC's tropical cyclone formation alert in force for an invest. */
export const formationAlert = z.strictObject({
  issued_at: unixSeconds,
  valid_until: unixSeconds.describe("when it is reissued, upgraded to a warning or cancelled at the latest"),
  bulletin: z.string().describe("heading of the text").meta({ example: "WTPN21" }),
  likelihood: likelihood.nullable().describe("of development within 24 h; null where the text states none"),
  line: z.array(place).min(1).max(2).describe("axis of the corridor; one place where the area is a circle"),
  half_width_km: z.number().positive().describe("distance of the edge from the line, km"),
  corridor: z
    .array(place)
    .min(4)
    .describe("all places within half_width_km of the line: closed, counter-clockwise"),
  winds_kt: winds,
  mslp_hpa: z.number().positive().nullable(),
  heading_deg: z.number().min(0).lt(360).nullable().describe("true bearing of motion, TO; one of 16 points"),
  speed_kmh: z.number().min(0).nullable(),
  text: paragraph.describe("what the agency wrote"),
});

const area = z.strictObject({
  id: z.string().describe("of the invest, else of the product and its number in it"),
  storm_id: z.string().nullable().describe("id of its entry in GET /storms, where it is an invest"),
  designation: z.string().nullable().describe("the agency's number of the invest").meta({ example: "92W" }),
  name: z.string().max(MAX_AREA_NAME).nullable().describe("the agency's name of the area; JTWC has none"),
  ...chance,
  place: place.nullable().describe("where the disturbance is now; null where none is stated"),
  polygon: z
    .array(place)
    .min(4)
    .nullable()
    .describe("where a tropical cyclone may form: closed, counter-clockwise; null where none is published"),
  drawn_at: unixSeconds
    .optional()
    .describe("issue of the outlook that place and polygon are from, where it is an older one"),
  winds_kt: winds,
  mslp_hpa: z.number().positive().nullable(),
  text: paragraph,
});

/** Storms that an outlook names besides the areas. They are no invests. */
export const summaryKinds = ["tropical_cyclone", "subtropical_system"] as const;

const system = z.strictObject({
  kind: z.enum(summaryKinds),
  designation: z.string().nullable().meta({ example: "25W" }),
  name: z.string().nullable(),
  place: place.nullable(),
  text: paragraph,
});

const outlook = z.strictObject({
  product: z.string().describe("heading of the text, or gtwo with the basin for NHC's areas"),
  agency: z.enum(["jtwc", "nhc", "cphc"]),
  basins: z
    .array(z.string())
    .describe("whose areas it lists")
    .meta({ example: ["west_pacific"] }),
  issued_at: unixSeconds,
  valid_until: unixSeconds.nullable().describe("null where the text states no end"),
  areas: z.array(area).describe("the areas of interest; empty where no development is expected"),
  systems: z.array(system).describe("storms that the same text summarises; their entries are in GET /storms"),
});

/** Query of GET /storms/outlooks. */
export const stormOutlooksQuery = z.object({
  provider: z.enum(["jtwc"]).describe("jtwc holds JTWC, NHC and CPHC; JMA publishes no outlook"),
});

/** Answer of GET /storms/outlooks. */
export const stormOutlooks = z.strictObject({
  results: z.array(outlook).describe("the newest outlook of each basin; a basin without one is unknown"),
});

export type StormDevelopment = z.infer<typeof stormDevelopment>;
export type FormationAlert = z.infer<typeof formationAlert>;
export type StormOutlook = z.infer<typeof outlook>;
export type StormArea = z.infer<typeof area>;
export type SummarySystem = z.infer<typeof system>;
