/** What colours and symbols of the map mean. */
export const legend = {
  title: "Legend",
  /** The unit after a title: `, °C`. */
  inUnit: (unit: string) => `, ${unit}`,
  unitOf: (title: string) => `Unit of ${title.toLowerCase()}`,
  /** The colour bar for screen readers. @param limits Sentences. */
  colours: ({ from, to, unit, limits }: LegendColours) =>
    [`Colours from ${from} to ${to} ${unit}.`, ...limits].join(" "),
  limit: ({ from, name }: { from: string; name: string }) => `From ${from}: ${name}.`,
  symbols: "What the symbols mean",
  barb: "Wind: the shaft points to where it comes from. Half feather 5 kn, feather 10, pennant 50; always knots.",
  southernBarb: "South of the equator the feathers are on the other side, always that of the lower pressure.",
  calm: "Calm: under 2.5 kn.",
  current: "Current, open head: where it goes to. Twice as long is four times as fast.",
  slack: "Slack water: under 0.1 kn.",
  wave: "Waves, filled head: they travel along it; the tail is where they come from. Twice as long is four times as high.",
  particles: "Moving particles show the flow, much faster than it is.",
  noParticles: "Moving particles are off: your system asks for less motion.",
  windLines:
    "Line of equal wind speed, in knots: 22 strong, 34 gale (bold), 48 storm, 64 hurricane force (bold); at night also the limits of the other Beaufort forces.",
  isobar: "Isobar, every 4 hPa; 1000 hPa is bold.",
  centres: "Centres of high and low pressure, with their hPa.",
  heights: "Dashed: line of equal wave height, every metre; each fifth is bold.",
  ship: "Your ship, under way by dead reckoning or at anchor; paler before the time of its position.",
  shipWay: "Way of your ship in the next 24 hours, with a ring every 6 hours.",
  storms: {
    hurricane:
      "Hurricane or typhoon with its category, 1 to 5 (the JMA has none); it turns anticlockwise north of the equator, clockwise south of it.",
    tropicalStorm: "Tropical storm.",
    depression: "Tropical depression.",
    invest: "Area of interest (invest): no depression yet.",
    area: "Where a storm may form: low, medium or high likelihood, one to three dots.",
    areaOutline:
      "Area in which it may form: dotted low, dashed medium, solid high; hatched closer the likelier.",
    alert: "Formation alert of JTWC: a storm may form in it within a day.",
    remnant: "What is left of a storm, or one that is no longer tropical.",
    track: "Track of a storm: observed, then forecast in dashes, with rings at the forecast's own times.",
    cone: "Cone: where the centre may go. Its winds reach beyond it, as the shaded rings round the centre tell.",
    danger:
      "Danger area of the storm that is open: keep out of it for three days. It does not remove all risk.",
    box: "Box round the winds of the storm that is open; dashed where their reach is estimated.",
  },
};

interface LegendColours {
  from: string;
  to: string;
  /** As read aloud. */
  unit: string;
  limits: readonly string[];
}

export type LegendWords = typeof legend;
