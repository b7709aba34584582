import type { Likelihood } from "#lib/contract/likelihoods.ts";

/** How likely a tropical cyclone forms, as an agency states it. */
interface Chance {
  likelihood: Likelihood;
  /** %; null where none is stated. */
  in48Hours: number | null;
  in7Days: number | null;
  /** Of the likelihood: `24 h`. */
  within: string;
}

/** Reach of something by quadrant, n mi. */
interface QuadrantTexts {
  ne: string;
  se: string;
  sw: string;
  nw: string;
}

const likely: Record<Likelihood, string> = { low: "Low", medium: "Medium", high: "High" };

/** Storms: what is said of them in several places, on the map and in the lists. */
export const storms = {
  days: (count: number) => `${count} days`,
  notStated: "not stated",
  notGiven: "not given",
  reading: "Reading the bulletins…",
  allStorms: "All storms",
  noLongerTracked: "No longer tracked",
  areaOfInterest: "Area of interest",
  unnamed: (label: string) => `${label} (unnamed)`,
  /** Along the edge of the area on the map. */
  dangerLabels: {
    classic: "Mariner’s 1-2-3 danger area",
    season: "Danger area by this season’s forecast errors",
  },
  providers: { jtwc: "JTWC and NHC", jma: "JMA" },
  /** An open list: of others the name is made of that in the API. */
  basins: {
    north_atlantic: "North Atlantic",
    south_atlantic: "South Atlantic",
    east_pacific: "East Pacific",
    central_pacific: "Central Pacific",
    west_pacific: "West Pacific",
    south_pacific: "South Pacific",
    north_indian: "North Indian",
    south_indian: "South Indian",
  },
  stages: {
    DB: "Disturbance",
    TD: "Tropical depression",
    TS: "Tropical storm",
    PT: "Post-tropical",
    LO: "Low",
    hurricane: "Hurricane",
    typhoon: "Typhoon",
    cyclone: "Tropical cyclone",
    unknown: "Stage not stated",
  },
  category: ({ stage, category }: { stage: string; category: number }) => `${stage}, category ${category}`,
  shortCategory: (category: number) => `Cat. ${category}`,
  /** Classes of the JMA, and its steps of typhoons. */
  jmaClasses: {
    TD: "Tropical depression",
    TS: "Tropical storm",
    STS: "Severe tropical storm",
    TY: "Typhoon",
    strong: "Typhoon, strong",
    veryStrong: "Typhoon, very strong",
    violent: "Typhoon, violent",
  },
  wind: ({ knots, minutes }: { knots: number; minutes: number }) => `${knots} kn (${minutes}-minute mean)`,
  windRange: ({ min, max, minutes }: { min: number; max: number; minutes: number }) =>
    `${min} to ${max} kn (${minutes}-minute mean)`,
  notEstimated: "not estimated yet",
  /** Behind the word "Moving". */
  motion: {
    towards: ({ bearing, knots }: { bearing: string; knots: number }) => `towards ${bearing} at ${knots} kn`,
    stationary: "stationary",
    unknown: "not known",
  },
  /** In a line of its own. */
  moving: {
    towards: ({ bearing, knots }: { bearing: string; knots: number }) =>
      `Moving towards ${bearing} at ${knots} kn`,
    stationary: "Moving stationary",
    unknown: "Moving not known",
  },
  /** Two lines. */
  quadrants: ({ ne, se, sw, nw }: QuadrantTexts) => [`NE ${ne} SE ${se}`, `SW ${sw} NW ${nw}`],
  staleForecast: (span: string) => `The forecast is ${span} old: newer bulletins are missing.`,
  /** @param hidden An older forecast is not shown. */
  overdue: ({ span, hidden }: { span: string; hidden: boolean }) =>
    `The newest report of this storm is ${span} old: its source stands still or has left it out.${
      hidden ? " An older forecast is not shown." : ""
    }`,
  /** On the map, below a storm: when it was there. */
  seen: (time: string) => `seen ${time}`,
  unknownStorm: (id: string) => `This server has no bulletins of the storm ${id} by this provider.`,

  list: {
    title: "Storms",
    whose: "Whose storms",
    means: {
      jtwc: "Winds are 1-minute means. The two are not comparable, and are never mixed.",
      jma: "Winds are 10-minute means. The two are not comparable, and are never mixed.",
    },
    withAreas: "Areas of interest too (invests)",
    oldFeed: (span: string) =>
      `The newest text of this provider is ${span} old: what is shown is the last that was received.`,
    neverRead: "This server has no storm bulletins of this provider yet.",
    none: { jtwc: "No active storms from JTWC or NHC.", jma: "No active storms from JMA." },
    nearestFirst: "Those that come nearest to your ship are first.",
    searching: "Looking for the closest approaches to your ship…",
    stageAndWind: ({ stage, wind }: { stage: string; wind: string }) => `${stage}, ${wind}`,
    bulletin: (span: string) => `Bulletin ${span} old`,
    noForecast: "No forecast: its closest approach is not known",
  },

  areas: {
    title: "Areas of interest",
    jmaHasNone: "The JMA publishes no outlook of areas of interest.",
    unknown: "No outlook of the last two days was received: whether storms may form is unknown.",
    quiet: ({ basins, agency }: { basins: readonly string[]; agency: string }) =>
      `${basins.join(" and ")}: ${agency} expects no development`,
    quietSince: (time: string) => `(issued ${time})`,
    name: ({ name, invest }: { name: string; invest: string }) => `${name} (${invest})`,
    nameless: "Disturbance without a number",
    chance: ({ likelihood, in48Hours, in7Days, within }: Chance) => {
      const stated = [
        ...(in48Hours === null ? [] : [`${in48Hours} % in 48 h`]),
        ...(in7Days === null ? [] : [`${in7Days} % in 7 days`]),
      ];
      return stated.length > 0
        ? `${likely[likelihood]} likelihood: ${stated.join(", ")}`
        : `${likely[likelihood]} likelihood within ${within}`;
    },
    /** The same in one line of the map. */
    chanceLabel: ({ likelihood, in7Days, within }: Omit<Chance, "in48Hours">) =>
      in7Days === null
        ? `${likely[likelihood]} within ${within}`
        : `${likely[likelihood]}: ${in7Days} % in 7 days`,
    /** Its first words are bold. */
    alertUntil: (time: string) => ({ what: "Formation alert", until: `until ${time}` }),
    /** @param age `3 h ago`. */
    issuedAgo: (age: string) => `Issued ${age}`,
    region: (name: string) => `Area ${name}`,
    kind: ({ agency }: { agency: string }) => `Area of interest · ${agency}`,
    issued: ({ time, span }: { time: string; span: string }) => `Issued ${time}, ${span} old`,
    validUntil: (time: string) => `Valid until ${time}`,
    where: "Where",
    drawn: "as drawn on the map",
    onlyInWords: "only in words",
    winds: "Winds",
    pressure: "Lowest pressure",
    drawnEarlier: (time: string) => `Its place and extent are of an earlier outlook, issued ${time}.`,
    noExtent: "The agency states a position and no extent: the symbol is where it is now.",
    /** @param agency undefined where it is not known. */
    likelihoodIssued: ({ time, agency }: { time: string; agency: string | undefined }) =>
      agency === undefined
        ? `Likelihood that a tropical cyclone forms, issued ${time}`
        : `Likelihood that a tropical cyclone forms, issued ${time} by ${agency}`,
    alert: "Formation alert",
    alertTitle: "Formation alert of JTWC",
    inForceUntil: (time: string) => `In force until ${time}`,
    lapsed: "Its time has passed, and no successor was received yet.",
    area: "Area",
    aroundPlace: (miles: string) => `within ${miles} of a place`,
    alongLine: (miles: string) => `${miles} on both sides of a line`,
    moving: "Moving",
    agencyText: "What JTWC wrote",
  },
};

export type StormsWords = typeof storms;
