import { plural } from "../plural.ts";

/** A value against its limit, both with their units; times as `Tue 24 Nov 06:00 UTC`. */
interface LimitValues {
  quantity: string;
  limit: string;
  from: string;
  value: string;
  peak: string;
}

const hours = (count: number) => plural("en", count, { one: "1 hour", other: `${count} hours` });

/** Watches and alerts: what they say, the page and the dialog. Loaded when they are needed. */
export const watches = {
  quantities: {
    wind_kt: "Wind",
    gust_kt: "Gusts",
    sea_m: "Significant wave height",
    swell_m: "Swell",
    current_kt: "Current",
    rain_mm_h: "Rain",
    pressure_hpa: "Pressure",
    cape_j_kg: "CAPE (thunderstorms)",
    storm_nm: "Distance of a storm’s danger area",
  },
  /** `over 30 kn`. */
  over: (limit: string) => `over ${limit}`,
  /** `under 20 kn`. */
  under: (limit: string) => `under ${limit}`,

  message: {
    over: ({ quantity, limit, from, value, peak }: LimitValues) =>
      `${quantity}: over ${limit} from ${from}, at most ${value} (${peak}).`,
    under: ({ quantity, limit, from, value, peak }: LimitValues) =>
      `${quantity}: under ${limit} from ${from}, at least ${value} (${peak}).`,
    /** @param storm Its name or id. */
    storm: ({ storm, value, limit, from }: { storm: string; value: string; limit: string; from: string }) =>
      `Danger area of ${storm}: ${value} away, ${from}; the limit is ${limit}.`,
    inStorm: ({ storm, from }: { storm: string; from: string }) =>
      `Inside the danger area of ${storm} from ${from}.`,
    window: ({
      count,
      from,
      to,
      quantity,
      value,
    }: {
      count: number;
      from: string;
      to: string;
      quantity: string;
      value: string;
    }) =>
      `${hours(count)} on end, from ${from} to ${to}. ${quantity}: ${value} where it is nearest to its limit.`,
    noWindow: ({ count }: { count: number }) => `No ${hours(count)} on end as wanted.`,
    /** @param value The one that is nearest to the limit. */
    within: ({ quantity, value, peak, limit }: Omit<LimitValues, "from">) =>
      `${quantity}: ${value} (${peak}); the limit is ${limit}.`,
    noStorm: "No danger area of a storm is within the limit.",
    cleared: ({ sentence }: { sentence: string }) => `No longer true. ${sentence}`,
    unknown: "There is no forecast to tell.",
    newRun: ({ run }: { run: string }) => `A new run is published: ${run}.`,
    run: ({ run }: { run: string }) => `Forecast: ${run}.`,
    /** @param span `18 h`. */
    lead: (span: string) => `In ${span}.`,
    test: "This is a test.",
    synthetic: "The numbers come from the demo world: they are invented.",
    notForNavigation: "Not for navigation.",
  },
  /** After the name of the watch. */
  titles: { cleared: "no longer true", test: "test", newRun: "new run", window: "weather window" },

  page: {
    heading: "Watches and alerts",
    inbox: "Alerts",
    list: "Watches",
    add: "New watch",
    noAlerts: "No alerts. What a watch finds appears here.",
    noWatches:
      "No watches. A watch asks the same question of each new forecast and tells you when the answer changes.",
    reading: "Reading…",
    unread: (count: number) => plural("en", count, { one: "1 unread", other: `${count} unread` }),
    markAll: "Mark all as read",
    markRead: "Mark as read",
    openMap: "Open on map",
    older: "Older alerts",
    kinds: { fired: "Alert", cleared: "Cleared", new_run: "New run", test: "Test", channel: "Delivery" },
    states: {
      waiting: "Not evaluated yet",
      quiet: "Not true",
      firing: "True",
      unknown: "No forecast",
      failed: "Failed, will be tried again",
      paused: "Paused",
      expired: "Expired",
    },
    test: "Send a test",
    tested: "A test is on its way: it appears here, and in every channel of the watch.",
    pause: "Pause",
    resume: "Resume",
    edit: "Change",
    delete: "Delete",
    deleted: ({ name }: { name: string }) => `“${name}” is deleted.`,
    undo: "Undo",
    /** Read after a label, for screen readers. */
    ofWatch: ({ name }: { name: string }) => ` of ${name}`,
    evaluated: (age: string) => `evaluated ${age}`,
    until: (day: string) => `until ${day}`,
    browser: "Also show alerts as notifications of this browser while this page is open",
    browserDenied: "This browser does not allow notifications of this page.",
    keyNeeded: "Watches need an API key: they belong to its owner, who alone reads them.",
    enterKey: "Enter an API key",
    newAlert: ({ title }: { title: string }) => `New alert: ${title}`,
  },

  form: {
    title: "Watch this place",
    changeTitle: "Change the watch",
    name: "Name",
    kind: "Tell me about",
    kinds: {
      danger: "Too much wind or sea",
      window: "A weather window",
      storm: "A storm",
      run: "A new forecast run",
    },
    when: "Tell me when, in the next hours,",
    any: "one of these is true",
    all: "all of these are true in the same hour",
    quantity: "Quantity",
    comparison: "Over or under",
    limit: ({ unit }: { unit: string }) => `Limit, ${unit}`,
    addCondition: "Add a condition",
    removeCondition: "Remove",
    ahead: "Hours ahead",
    lasting: "Hours on end",
    within: "Nearer than, n mi",
    save: "Save the watch",
    saving: "Saving…",
    saved: "Saved. It is asked of the forecast now, and of each new one.",
    toList: "All watches",
    cancel: "Cancel",
    margin:
      "It is told once when it becomes true, and once when it is true no more. So that it does not go to and fro, a value must be back within its limit by a margin: wind 2 kn, gusts 3 kn, waves 0.3 m, storms 20 n mi.",
    stormName: ({ position }: { position: string }) => `Storms near ${position}`,
    windowName: ({ position }: { position: string }) => `Weather window, ${position}`,
    runName: "New forecast runs",
    routeName: "My passage",
    routeAbout: "The passage as it is planned, with its departure and vessel; as far as it is ahead.",
    tooManyWaypoints: ({ count, most }: { count: string; most: string }) =>
      `This route has ${count} waypoints, and a watch may have ${most}: leave some out.`,
    tooLong: "This passage is too long to be watched as a whole: watch a part of it.",
    wrongNumber: ({ what, least, most }: { what: string; least: string; most: string }) =>
      `${what}: a number from ${least} to ${most}.`,
  },
};

export type WatchesWords = typeof watches;
