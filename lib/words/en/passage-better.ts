/** A number of the better route, and that of the own one, written with their units. */
interface Instead {
  better: string;
  own: string;
}

interface Ashore {
  /** Of the nearest water, from the waypoint. */
  distance: string;
  position: string;
}

/** A better route than one's own. Numbers, times and positions come written. */
export const passageBetter = {
  find: "Find a better route",
  stop: "Cancel the search",
  about: "Searches another route between the same ends, around land and storms, for the same departure.",
  objective: "Better means",
  objectives: { within_limits: "Within my limits", fastest: "Fastest" },
  /** What better means, for each objective. */
  order: {
    within_limits:
      "Order: it arrives; it stays within your limits; the shorter time, to which hours beyond the limits are added eight times, weighted by how far: at twice a limit an hour counts as four.",
    fastest:
      "Order: it arrives; it keeps your distance from storms; the shorter time, to which hours nearer to storms are added eight times, weighted by how near.",
  },
  searching: "Searching for a better route…",
  cancelled: "The search was cancelled.",
  offline: "There is no network, and the search needs the service.",
  none: "Nothing better was found: keep your route.",
  /** @param text Differences, as one of a list. */
  found: (text: string) => `Better route: ${text}.`,
  same: "about the same",
  leastBad: "No route stays within your limits all the way: this is the least bad one.",
  crossesLand: (leg: number) => `Your own route crosses land on leg ${leg}.`,
  stale: "The plan has changed since the search: search again.",
  use: "Use this route",
  keep: "Keep mine",
  used: "The plan has the better route now; Undo brings yours back.",
  kept: "Your route stays as it is.",
  /** Titles of the columns, and the label of the line on the map. */
  own: "Your route",
  better: "Better route",
  weighted: "Over limits, weighted",
  caption: "Your route and the better one",
  check:
    "A proposal to be checked on the chart: rocks and islets that this map does not show, and all depths, are not seen.",
  /** The better route against the own one. */
  difference: {
    join: ", ",
    arrives: "arrives, which yours does not",
    later: (span: string) => `${span} later`,
    earlier: (span: string) => `${span} earlier`,
    longer: (distance: string) => `${distance} longer`,
    shorter: (distance: string) => `${distance} shorter`,
    sea: ({ better, own }: Instead) => `highest sea ${better} instead of ${own}`,
    wind: ({ better, own }: Instead) => `strongest wind ${better} instead of ${own}`,
    over: ({ better, own }: Instead) => `${better} beyond the limits instead of ${own}`,
    weighted: ({ better, own }: Instead) => `weighted by how far: ${better} instead of ${own}`,
    noTime: "no time",
  },
  /** An end of the route is on land. */
  ashore: {
    start: ({ distance, position }: Ashore) =>
      `The start is on land. The nearest water is ${distance} away, at ${position}.`,
    end: ({ distance, position }: Ashore) =>
      `The end is on land. The nearest water is ${distance} away, at ${position}.`,
    startInland: "The start is on land, far from any water.",
    endInland: "The end is on land, far from any water.",
    move: "Move it there",
  },
  noWay:
    "No way by water was found: canals, locks and narrow straits are not known to the search. Plan the parts on either side by themselves.",
  /** Not searched. @see known Of the forecast after the departure. */
  refused: {
    distance: ({ miles, most }: { miles: string; most: string }) =>
      `The ends are ${miles} apart; routes of at most ${most} are searched. Search the parts one by one.`,
    hours: ({ span, most }: { span: string; most: string }) =>
      `This takes about ${span}; at most ${most} are searched. Search a part of it.`,
    forecast: ({ span, known }: { span: string; known: string }) =>
      `This takes about ${span}, and the forecast ends ${known} after the departure. Leave earlier, or search a part of it.`,
    loop: "The route ends where it begins: there is nothing to search between.",
    vessel: "Something is missing in the vessel: see Vessel and limits.",
  },
};

export type PassageBetterWords = typeof passageBetter;
