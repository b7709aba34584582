/** A danger area: by the mariner's 1-2-3 rule, or by the cone of the season. */
export interface AreaValues {
  method: "classic" | "season";
  /** The reach of its winds is a typical value. */
  estimated: boolean;
}

/** The lowest wind that a provider gives radii of, kt: 34, at which gales begin, or 30. */
interface WindValues {
  kt: number;
}

/** Where the storm or its winds are nearest. */
interface NearestValues {
  /** Undefined: now. */
  when: string | undefined;
  distance: string;
}

interface CentreValues {
  distance: string;
  /** Of the centre, from the ship: `271°`. */
  bearing: string;
  /** Half of the storm that the ship is in; null where it has none. */
  semicircle: "dangerous" | "navigable" | null;
}

interface ReachValues extends WindValues {
  estimated: boolean;
}

/** Hours of a wind; undefined where nothing can be said. */
interface ArrivalValues extends WindValues {
  outlook: "expected" | "possible";
  earliest: string | undefined;
  likely: string | undefined;
  latest: string | undefined;
  over: string | undefined;
}

const area = ({ method, estimated }: AreaValues) => {
  const name = method === "classic" ? "1-2-3 area" : "danger area of this season's cone";
  return estimated ? `${name} (its winds estimated)` : name;
};

const gales = (kt: number) => (kt === 34 ? "Gales" : `Winds of ${kt} kn`);

const centre = ({ distance, bearing, semicircle }: CentreValues) => {
  const where = `${distance}, bearing ${bearing}`;
  return semicircle === null ? where : `${where}, you are in the ${semicircle} semicircle`;
};

const lessError = ({ kt, estimated }: ReachValues) =>
  `with ${kt} kn winds${estimated ? " (their reach estimated)" : ""} and the error of the track taken off`;

/**
 * What a storm means for a ship. Times come written on the chosen clock, most as `at` has them; distances with their unit.
 * `until` is the end of the forecast: what is not expected before it is not expected at it either.
 */
export const verdict = {
  /** A time and how far it is from now: `Mon 14 Sep 03:00 (in 18 h)`. */
  at: ({ time, age }: { time: string; age: string }) => `${time} (${age})`,
  /** The ship and the danger area. */
  area: {
    none: "This forecast has no danger area for the time ahead.",
    clear: ({ distance, ...of }: AreaValues & { distance: string }) =>
      `Clear of the ${area(of)} by ${distance}.`,
    enters: ({ at, ...of }: AreaValues & { at: string }) => `Enters the ${area(of)} ${at}.`,
    /** Inside for all of the time that the area is for. @param end Of that time. */
    insideToEnd: ({ end, ...of }: AreaValues & { end: string }) =>
      `INSIDE the ${area(of)}, until that ends ${end}.`,
    insideOut: ({ out, ...of }: AreaValues & { out: string }) => `INSIDE the ${area(of)}, out of it ${out}.`,
  },
  /** Whether and when gales arrive. */
  gales: {
    now: ({ kt }: WindValues) => `${gales(kt)} now, on the forecast track.`,
    possibleThenLikely: ({ kt, likely }: WindValues & { likely: string }) =>
      `${gales(kt)} possible from now on, likely ${likely}.`,
    likely: ({ kt, likely }: WindValues & { likely: string }) => `${gales(kt)} likely ${likely}.`,
    earliest: ({ kt, earliest, likely }: WindValues & { earliest: string; likely: string }) =>
      `${gales(kt)} earliest ${earliest}, likely ${likely}.`,
    possibleNow: ({ kt }: WindValues) => `${gales(kt)} possible now, if the storm leaves its forecast track.`,
    possibleFrom: ({ kt, from }: WindValues & { from: string }) =>
      `${gales(kt)} possible from ${from}, if the storm leaves its forecast track.`,
    notExpected: ({ kt, until }: WindValues & { until: string }) =>
      `${gales(kt)} not expected before the forecast ends (${until}).`,
    notKnown: ({ kt }: WindValues) =>
      `${gales(kt)}: not known, because the forecast does not say how far they reach.`,
    notKnownLater: ({ kt }: WindValues) =>
      `${gales(kt)}: not known, because the forecast says how far they reach now but not later.`,
    /** @param told Until when it says how far they reach. */
    notKnownAfter: ({ kt, told }: WindValues & { told: string }) =>
      `${gales(kt)}: not known, because the forecast says how far they reach until ${told} at most.`,
  },
  stillClosing: (until: string) => `The storm is still closing when the forecast ends (${until}).`,
  old: "The forecast is old: newer ones are missing.",
  /** Of a storm about which nothing can be said ahead. */
  without: {
    over: "This storm is no longer tracked: nothing is forecast of it.",
    ended: (when: string) =>
      `Its forecast ended ${when}: nothing is known of it since, which does not mean that it stays away.`,
    beyond: "Its forecast ends before the time of your ship's position.",
    invest: "An area of interest without a forecast: nothing is known of where it goes.",
    silent: "There is no forecast to work it out from: that does not mean that the storm stays away.",
  },
  /** @param age `14 h ago`. */
  staleShip: (age: string) => `Your ship's position was entered ${age}: enter a new one.`,
  /** The closest approach in one line of a list. */
  line: {
    stillClosing: ({ until, distance }: { until: string; distance: string }) =>
      `Still closing when the forecast ends (${until}): ${distance}`,
    closest: ({ when, distance }: NearestValues) => `Closest ${when ?? "now"}: ${distance}`,
  },
  /** How far it is now. */
  range: {
    fromPoint: ({ distance, bearing }: { distance: string; bearing: string }) =>
      `${distance} from your point, bearing ${bearing}`,
    fromShip: ({ distance, bearing }: { distance: string; bearing: string }) =>
      `Now ${distance} from your ship, bearing ${bearing}`,
    /** @param when Time of the position of the ship, which is ahead. */
    fromPlanned: ({ distance, bearing, when }: { distance: string; bearing: string; when: string }) =>
      `Now ${distance} from where your ship will be ${when}, bearing ${bearing}`,
    /** As a sentence. */
    plannedSaid: ({ distance, bearing, when }: { distance: string; bearing: string; when: string }) =>
      `Now ${distance} from where your ship will be ${when}, bearing ${bearing}.`,
    said: ({ distance, bearing }: { distance: string; bearing: string }) =>
      `Now ${distance} away, bearing ${bearing}.`,
  },
  /** The closest approach in full. */
  approach: {
    title: "Closest approach",
    toShip: "Closest approach to your ship",
    toPoint: "Closest approach to your point",
    looking: "Looking for the closest approach to your ship…",
    how: "Click the map where you are, or pin your ship: the closest approach is worked out from there.",
    course: "Your course, °",
    speed: "Your speed, kn",
    wrong: "A course is 0 to 360, a speed 0 to 60 knots.",
    closing: ({ until, ...of }: CentreValues & { until: string }) =>
      `Its centre is still closing when the forecast ends (${until}): ${centre(of)}.`,
    closest: ({ when, ...of }: CentreValues & { when: string | undefined }) =>
      `Its centre is closest ${when ?? "now"}: ${centre(of)}.`,
    clearance: ({ when, distance, ...of }: NearestValues & ReachValues) =>
      `Least clearance ${distance} ${when ?? "now"}, ${lessError(of)}.`,
    shrinking: ({ until, distance, ...of }: ReachValues & { until: string; distance: string }) =>
      `Least clearance ${distance} when the forecast ends (${until}), and still shrinking, ${lessError(of)}.`,
    inside: ({ when, distance, ...of }: NearestValues & ReachValues) =>
      `You may be inside by ${distance} ${when ?? "now"}, ${lessError(of)}.`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }: ArrivalValues) => {
      const hours = [
        earliest && `earliest ${earliest}`,
        likely && `likely ${likely}`,
        latest && `latest ${latest}`,
        over && `over by ${over}`,
      ];
      return `${kt} kn winds: ${[outlook, ...hours].filter(Boolean).join(", ")}`;
    },
    notExpected: ({ kt, until }: WindValues & { until: string }) =>
      `${kt} kn winds: not expected before the forecast ends (${until})`,
    notForecast: ({ kt }: WindValues) => `${kt} kn winds: their reach is not forecast`,
    /** @param clock `UTC+2`. */
    lookedAt: ({ until, clock }: { until: string; clock: string }) =>
      `Looked at until ${until}, where the forecast ends. Times are ${clock}, to the hour.`,
    locatedFromShip: ({ when, distance }: { when: string; distance: string }) =>
      `Last located ${when}, ${distance} from your ship.`,
    locatedFromPoint: ({ when, distance }: { when: string; distance: string }) =>
      `Last located ${when}, ${distance} from your point.`,
    /** @param span `5 h`. */
    fromForecast: (span: string) => `Worked out from a forecast that is ${span} old.`,
    fromOldForecast: (span: string) =>
      `Worked out from a forecast that is ${span} old. Newer forecasts are missing: the storm may come nearer than this.`,
  },
  /** In the low panel of a phone. */
  peek: {
    inBulletin: (when: string) => `In the bulletin of ${when}`,
    none: "No storms to show.",
    tap: "Tap a storm, or raise this panel for the list.",
  },
};

export type VerdictWords = typeof verdict;
