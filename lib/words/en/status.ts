import { plural } from "../plural.ts";

/** Feeds in one state, at least one. */
interface FeedCount {
  state: keyof typeof stateNames;
  count: number;
}

const stateNames = {
  current: "current",
  growing: "arriving",
  waiting: "waiting",
  late: "late",
  failing: "failing",
};

/** Feeds: what they bring and how new it is. */
export const status = {
  heading: "Feeds",
  reading: "Reading the state of the feeds…",
  /** On the badge of a feed. */
  states: {
    current: "Current",
    growing: "Arriving",
    waiting: "Waiting",
    late: "Late",
    failing: "Failing",
  },
  /** How many feeds are in a state, and their disk. @param budget Undefined without a limit. */
  summary: ({ counts, used, budget }: { counts: FeedCount[]; used: string; budget: string | undefined }) => {
    const feeds = counts.map(({ state, count }) => `${count} ${stateNames[state]}`).join(", ");
    return `${feeds}. On disk: ${used}${budget === undefined ? "" : ` of ${budget}`}.`;
  },
  newestRun: "Newest run",
  newestText: "Newest text",
  steps: "Steps",
  stepsOf: ({ here, expected }: { here: number; expected: number }) => `${here} of ${expected}`,
  stepsHere: ({ title }: { title: string }) => `Steps of ${title} that are here`,
  reachesTo: "Reaches to",
  nextExpected: "Next expected",
  lastFetched: "Last fetched",
  from: "From",
  today: "Today",
  /** @param time `Sat 15 Jan 12:00`. @param age `4 h ago`. */
  moment: ({ time, age }: { time: string; age: string }) => `${time} UTC, ${age}`,
  /** Before an error. */
  errorAt: ({ moment }: { moment: string }) => `${moment}:`,
  /** @param command What lists them. */
  quarantined: <Code>({ count, command }: { count: number; command: Code }) => [
    plural("en", count, {
      one: "1 file was refused and kept for the operator: ",
      other: `${count} files were refused and kept for the operator: `,
    }),
    command,
  ],
  /** By the hosts of several feeds. */
  clockSlow: ({ minutes }: { minutes: number }) =>
    `The clock of this server is ${minutes} min slow, as several hosts say: ages of forecasts and storms may be wrong until it is set.`,
  clockFast: ({ minutes }: { minutes: number }) =>
    `The clock of this server is ${minutes} min fast, as several hosts say: ages of forecasts and storms may be wrong until it is set.`,
  noFeeds: "No feed is turned on: the map shows what was brought in by hand, or the invented demo world.",
  /** @param start The setting. @param plan The command that prints the bytes a day. */
  turnOn: <Code>({ start, plan }: { start: Code; plan: Code }) => [
    "Whoever runs this server gets real forecasts with one setting: ",
    start,
    ". ",
    plan,
    " prints the bytes a day first.",
  ],
};

export type StatusWords = typeof status;
