import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";
import { dates } from "./dates.ts";

const whole = (count: number) => formatNumber(count, 0, "en");
const points = (count: number) => plural("en", count, { one: "1 point", other: `${whole(count)} points` });
const values = (count: number) => `${whole(count)} values`;

/** Columns that a list was read from. */
type Column = "latitude" | "longitude" | "position" | "date" | "instant" | "name";

const columns: Record<Column, (title: string) => string> = {
  latitude: (title) => `latitude from “${title}”`,
  longitude: (title) => `longitude from “${title}”`,
  position: (title) => `position from “${title}”`,
  date: (title) => `date from “${title}”`,
  instant: (title) => `time from “${title}”`,
  name: (title) => `name from “${title}”`,
};

/** What a list says of times. */
const times = {
  all: ", each with its time",
  some: ", not all with a time",
  none: ", without times",
};

/** Tasks: their list, the forms for new ones, and their points on the map. */
export const tasks = {
  points,

  /** In the tab. @param count Tasks that ended and were not seen. */
  titleDone: ({ count, title }: { count: number; title: string }) => `(${count} done) ${title}`,

  inbox: {
    heading: "Tasks",
    newTask: "New task",
    show: "Show",
    filters: { all: "All", PENDING: "Pending", SUCCESS: "Done", FAILURE: "Failed" },
    /** Announced when a task has ended. */
    ended: ({ title, state }: { title: string; state: string }) => `${title}: ${state}`,
    reading: "Reading the list…",
    none: "No tasks. Large requests appear here.",
    noneInState: "None of the tasks is in this state.",
    newestOnly: "The newest 100 are shown; the API lists all of them.",
  },

  keyNeeded: {
    why: "Tasks need an API key. A task belongs to the owner of the key that it was sent with, who alone reads its result; a visitor without a key owns nothing.",
    byMail: "A link to a key can be sent to your e-mail address. The map can be read without one.",
    byOperator: "Ask who runs this service for a key. The map can be read without one.",
    getKey: "Get or enter an API key",
    enterKey: "Enter an API key",
  },

  untitled: {
    MetOcean: "Points without a name",
    "2DMetOcean": "Map box without a name",
    "passages/evaluate": "Passages without a name",
    files: "File without a name",
    "passages/optimise": "Better route without a name",
    route: "Route without a name",
  },

  row: {
    boxValues: (count: number) => `${values(count)} of a map box`,
    miles: (count: number) => `${whole(count)} n mi of a better route`,
    passagePlaces: (count: number) =>
      plural("en", count, { one: "1 place of a passage", other: `${whole(count)} places of passages` }),
    /** @param age When it was sent: `12 min ago`. */
    asked: (age: string) => `asked ${age}`,
    compressed: (size: string) => `${size} compressed`,
    noMail: "no mail: this service or key has none set up",
    mailWhenDone: "mail when done",
    mailAsked: "mail asked for",
    expired: "result has expired",
    /** In UTC. */
    keptUntil: ({ day, month, year, clock }: { day: number; month: number; year: number; clock: string }) =>
      `kept until ${day} ${dates.months[month - 1]} ${year}, ${clock} UTC`,
    progressOf: ({ title }: { title: string }) => `Progress of ${title}`,
  },

  states: {
    done: "Done",
    cancelled: "Cancelled",
    failed: "Failed",
    running: "Running",
    runningAt: ({ percent }: { percent: number }) => `Running, ${percent} %`,
    next: "Waiting, next to run",
    waiting: ({ position }: { position: number }) => `Waiting, number ${position} in the queue`,
  },

  /** The title of the task follows each label, for screen readers. */
  actions: {
    download: "Download",
    downloadOf: ({ title }: { title: string }) => `Download ${title}`,
    openOnMap: "Open on map",
    repeat: "Repeat",
    cancel: "Cancel",
    delete: "Delete",
    copyId: "Copy id",
    /** Read after `copyId`. */
    copyIdOf: ({ title }: { title: string }) => ` of ${title}`,
  },

  undo: {
    deleting: ({ title }: { title: string }) => `“${title}” is being deleted.`,
    undo: "Undo",
    /** Read after `undo`. */
    undoOf: ({ title }: { title: string }) => ` deleting ${title}`,
    failed: ({ title, reason }: { title: string; reason: string }) =>
      `“${title}” could not be deleted: ${reason}`,
  },

  notice: {
    failed: ({ reason }: { reason: string }) => `The points of this task cannot be shown: ${reason}`,
    none: "This task has no points that can be drawn.",
    /** @param name Printed bold. */
    shown: <Bold>({ name, count }: { name: Bold; count: number }) => [name, `: ${points(count)}`],
    close: "Take the points off the map",
  },

  form: {
    kind: "What it is about",
    kinds: { MetOcean: "A list of points", "2DMetOcean": "A box of the map" },
    name: "Name, as you will look for it",
    mail: "Send one mail when it has ended",
    sending: "Sending…",
    start: "Start the task",
  },

  durations: {
    few: "a few seconds",
    seconds: (count: number) => `about ${count} s`,
    minutes: (count: number) => `about ${count} min`,
    hours: (count: number) => `about ${whole(count)} h`,
  },

  box: {
    what: "What",
    sides: { south: "South, °N", north: "North, °N", west: "West, °E", east: "East, °E" },
    from: "From, UTC",
    to: "To, UTC",
    wrongLatitudes: "The latitudes should be −90 to 90, the southern one first.",
    wrongLongitudes: "The longitudes should be −180 to 180; a western one that is greater crosses 180°.",
    wrongTimes: "The times should be written as 2026-09-15T12:00:00Z, the first one first.",
    tooLong: ({ days }: { days: number }) => `At most ${days} days fit into one request.`,
    tooMany: ({ count, most }: { count: number; most: number }) =>
      `About ${values(count)} are more than one task may have (${whole(most)}): a smaller box or a shorter time fits.`,
    estimate: ({ count, size, duration }: { count: number; size: string; duration: string }) =>
      `About ${values(count)}, ${size} as JSON, ${duration} of work.`,
  },

  list: {
    file: "File: GPX, or CSV or Excel (.xlsx) with latitude, longitude and maybe time",
    paste: "Or paste it here",
    reading: "The list is being read.",
    choose: "Choose a GPX, CSV or Excel file, or paste a list.",
    tooMany: ({ count, most }: { count: number; most: number }) =>
      `${points(count)} are more than one task may have (${whole(most)}).`,
    refusedRows: "Some points cannot be read: mend them and choose the file again, or leave them out.",
    noQuantity: "Choose at least one quantity.",
    someUntimed: "Not all points have a time: say when you leave (2026-09-15T12:00:00Z) and how fast you go.",
    untimed: "The list has no times: say when you leave (2026-09-15T12:00:00Z) and how fast you go.",
    estimate: ({ count, size, duration }: { count: number; size: string; duration: string }) =>
      `${points(count)}, about ${size} as JSON, ${duration} of work.`,
    departure: "Leaving the first point, UTC",
    speed: "Speed, knots",
    quantities: "Quantities",
    repeated: "The task that is repeated",
  },

  preview: {
    which: "The file has several lists. Which one?",
    /** @param file Its name; empty for pasted text. */
    read: ({ file, count, timed }: { file: string; count: number; timed: keyof typeof times }) =>
      `${file && `${file}: `}${points(count)}${times[timed]}.`,
    drawnTimes:
      "The times in the file are those when its points were drawn, not of a passage. They are not used.",
    /** How a table was understood. @param found Its columns; undefined without a header. */
    columns: ({ found, isUtc }: { found: [Column, title: string][] | undefined; isUtc: boolean }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join(", ");
      const how =
        read === undefined
          ? "No line names the columns: latitude is read first, then longitude."
          : `Read: ${read}.`;
      return isUtc ? `${how} Times are taken as UTC.` : how;
    },
    refused: ({ read, refused }: { read: number; refused: number }) =>
      plural("en", refused, {
        one: `1 point cannot be read, ${whole(read)} can.`,
        other: `${whole(refused)} points cannot be read, ${whole(read)} can.`,
      }),
    leaveOut: "Leave these points out",
    dateOrder: "Dates like 03/04/2026 can be read in two ways. Here they are",
    dateOrders: { "day-month": "day/month/year", "month-day": "month/day/year" },
    miles: (count: number) => `${whole(count)} n mi`,
    /** @param speed Knots. */
    planned: ({ speed }: { speed: string }) => `planned at ${speed} kn`,
    /** @param when `2026-09-14 12:00 UTC`. */
    leaves: ({ when }: { when: string }) => `leaves ${when}`,
  },
};

export type TasksWords = typeof tasks;
