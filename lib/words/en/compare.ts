/** Two pictures of the map side by side, and the last runs at a point. */
export const compare = {
  title: "Side by side",
  open: "Compare side by side",
  close: "Stop comparing",
  /** The two pictures, as written beside them. */
  side: { a: "A", b: "B" },
  where: { a: "A, left", b: "B, right" },
  /** `A: 23 kn from WNW`. */
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"}: ${text}`,
  layer: "Layer of B",
  time: "Time of B",
  /** In place of a time. */
  fixed: "the same at any time",
  run: (run: string) => `run ${run} UTC`,
  nothing: (title: string) => `${title} is not drawn.`,
  /** The time is empty where it is not known yet. */
  loading: ({ title, time }: { title: string; time: string }) =>
    `Loading ${title}${time === "" ? "" : `, ${time}`}…`,
  none: ({ title, time }: { title: string; time: string }) =>
    `The archive has no ${title} for ${time}: nothing is drawn.`,
  failed: (title: string) => `${title}: the server could not answer.`,
  divider: "Divider between A and B",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A, ${a}, has ${percent} % of the width; right of it B, ${b}`,
  /** Time of B against that of A: negative hours are before it. */
  hours: (hours: number) =>
    hours === 0 ? "same time" : hours > 0 ? `${hours} h later` : `${-hours} h earlier`,
  runs: {
    show: "Last runs",
    reading: "Reading the last runs…",
    failed: "The last runs could not be read.",
    only: "Only one run is in the archive for this place: there is nothing to compare it with.",
    none: "No run is in the archive for these times.",
    same: ({ name, count }: { name: string; count: number }) =>
      `${name}: the last ${count} runs say the same.`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name}: the last ${count} runs agree within ${within}.`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name}: the last ${count} runs agree within ${within} until ${until}, then differ by up to ${most} (${at}).`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name}: the last ${count} runs differ from the start, by up to ${most} (${at}).`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `${found} of ${asked} runs are in the archive: the service keeps only the newest ones, or earlier ones were never published.`,
    invented: "Demo data: how earlier runs differ is invented.",
    lines: "Thin lines: runs of before.",
    numbers: "The runs in numbers",
    caption: (title: string) => `${title} by run, base time UTC`,
    time: "Time",
    newest: (run: string) => `${run} (newest)`,
    quantity: "Quantity",
  },
};

export interface RunSpread {
  /** `Wind`. */
  name: string;
  /** How many runs. */
  count: number;
  /** The largest difference between two of them, and when that is. */
  most: string;
  at: string;
}

export type CompareWords = typeof compare;
