/** The time bar, and the dialog for a date and a time. */
export const time = {
  bar: {
    title: "Time",
    dayBack: "Back one day",
    stepBack: "Back one step",
    play: "Play",
    pause: "Pause",
    stepAhead: "Forward one step",
    dayAhead: "Forward one day",
    toForecast: "Back to the forecast",
    /** The same on a phone. */
    toForecastShort: "Forecast",
    now: "Now",
    /** Read behind the time, on the button with it. */
    choose: ". Choose another date and time",
    earlier: "Ten days earlier",
    later: "Ten days later",
    slider: "Time of the map",
    /** @param layer Name of a layer. */
    unchanging: ({ layer }: { layer: string }) => `${layer} does not change with time`,
    /** The bar ends here. */
    last: "last time",
    /** @param time That of what is still drawn. */
    old: ({ time }: { time: string }) => `still shows ${time}`,
    /** @param about Dataset and distance from now. */
    value: ({ time, about }: { time: string; about: string }) => `${time}, ${about}`,
    /** The mark of the base time on the scale, in little room. */
    run: "run",
  },
  /** What the archive has of a day, behind its date. */
  kinds: {
    forecast: "forecast",
    hindcast: "hindcast",
    gap: "no data",
    beyond: "out of range",
  },
  calendar: {
    monthBefore: "Month before",
    month: "Month",
    monthAfter: "Month after",
    /** @param kind One of `kinds`. */
    day: ({ date, kind }: { date: string; kind: string }) => `${date}, ${kind}`,
    /** The key to the colours. */
    legend: { forecast: "Forecast", hindcast: "Hindcast", gap: "No data" },
    reading: "Reading which days have data…",
    unread: ({ why }: { why: string }) => `What the archive has could not be read: ${why}`,
  },
  picker: {
    title: "Date and time",
    /** @param clock Such as `UTC+2`. */
    hours: ({ date, clock }: { date: string; clock: string }) => `${date}, ${clock}`,
    goTo: "Go to",
    now: "Now",
    steps: "Steps of the time bar and of the keys [ and ]",
    modelSteps: "Each of the model",
    hourSteps: ({ hours }: { hours: number }) => `${hours} h`,
    speed: "Speed of play",
    speeds: { slow: "Slow", normal: "Normal", fast: "Fast" },
  },
  /** The field for a time in words. */
  field: {
    /** @param clock Such as `UTC+2`. */
    label: ({ clock }: { clock: string }) => `Date and time, ${clock}`,
    placeholder: "tomorrow 18:00",
    show: "Show",
    /** What can be typed. */
    examples: ["fri 6", "+12h", "-3d", "24.11. 18h", "2026-11-24 18:00", "now"],
    hint: ({ examples }: { examples: readonly string[] }) => `Such as ${examples.join(", ")}.`,
    /** Why another time is shown, before that time. */
    reasons: {
      ahead: "That is beyond the forecast, which ends here:",
      past: "That is before the archive, which begins here:",
      gap: "The archive has nothing for that time. The nearest is",
    },
    oddities: {
      skipped: "The clock is put forward over that time.",
      twice: "The clock shows that time twice; this is the first.",
    },
    faults: {
      unknown: "Not understood. Try tomorrow 18:00, fri 6, +12h, -3d or 2026-11-24 18:00.",
      "no-such-date": "The calendar has no such date.",
    },
  },
};

export type TimeWords = typeof time;
