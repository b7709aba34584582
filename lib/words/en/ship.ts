/** The ship of this device. Positions, bearings and speeds come written, `when` is a time on the chosen clock. */
export const ship = {
  title: "My ship",
  /** Before there is one. */
  invitation:
    "Pin your ship: the map moves it on by its course and speed, and storms are listed by how near they come to it. It stays on this device.",
  raise: "Raise this panel to pin your ship.",
  /** How the ship goes on. */
  atAnchor: "At anchor.",
  underWay: ({ course, speed }: { course: string; speed: string }) =>
    `Course ${course} at ${speed} kn, by dead reckoning along a rhumb line.`,
  /** `Position of Tue 15 Sep 06:12 UTC, 3 h ago.` */
  positionOf: ({ when, clock, age }: { when: string; clock: string; age: string }) =>
    `Position of ${when} ${clock}, ${age}.`,
  /** What must be known of the age of the position. @param age `13 h ago`. */
  planned:
    "This position is of a time to come: until then the ship is drawn there, and storms are measured from that time on.",
  oldAtAnchor: (age: string) => `This position was entered ${age}: is the ship still there?`,
  oldUnderWay: (age: string) =>
    `This position was entered ${age}: the ship may be far from where dead reckoning puts it. Enter a new one.`,
  /** Of the time that the map shows. */
  mapBefore: (when: string) =>
    `The map shows ${when}, before this position: the ship is drawn where it was entered.`,
  mapAt: ({ when, position }: { when: string; position: string }) =>
    `At the time of the map, ${when}, it is at ${position}.`,
  centre: "Centre the map on it",
  conditions: "Conditions there",
  edit: "Edit",
  forget: "Forget",
  bringBack: "Bring back the forgotten ship",
  pinAtPoint: "Pin at the sampled point",
  putHere: "Put my ship here",
  /** Spoken when the ship has changed. */
  said: {
    forgotten: "Your ship is forgotten.",
    atAnchor: (position: string) => `Your ship is at anchor at ${position}.`,
    underWay: ({ position, course, speed }: { position: string; course: string; speed: string }) =>
      `Your ship is at ${position}, course ${course} at ${speed} knots.`,
  },
  device: {
    ask: "Pin at this device",
    asking: "Asking the device…",
    /** @param miles Nautical miles. */
    accurateToMiles: (miles: string) =>
      `The position of this device is accurate to ${miles} n mi only: check it.`,
    accurateToMetres: (metres: string) => `The position of this device, accurate to ${metres} m.`,
    failures: {
      refused:
        "This browser was told not to give the position of the device. Allow it in its settings for this page, or type the position.",
      unknown: "This device does not know its position at the moment. Try again in the open, or type it.",
      late: "This device has not found its position within 30 seconds. Try again in the open, or type it.",
      insecure:
        "Browsers give the position of the device to secure addresses (https) only. Type the position instead.",
    },
  },
  form: {
    position: "Position",
    course: "Course, ° true",
    speed: "Speed, kn",
    /** In the empty field of the speed. */
    noSpeed: "at anchor",
    /** @param clock `UTC+2`. */
    time: (clock: string) => `Time of the position, ${clock}`,
    timeOrNow: (clock: string) => `Time of the position, ${clock} (now where it is empty)`,
    save: "Save",
    pin: "Pin my ship",
    takeNow: "Take where it is now",
    cancel: "Cancel",
    errors: {
      unclear: "This may mean several places. Write it like 48 30N 005 10W.",
      position: "This is no position. Write it like 48 30N 005 10W or 48.5, −5.17.",
      course: "A course is 0 to 360 degrees.",
      speed: (most: number) => `A speed is 0 to ${most} knots.`,
      noTime: "Enter the time too: the service has not told what time it is.",
      time: "This is no date and time.",
    },
  },
  /** A link brings another ship than that of the device. */
  choice: {
    title: "This link brings another ship",
    yours: "Your ship",
    linked: "The link's ship",
    /** @param way `underWay` or `atAnchor`. */
    line: ({ position, when, way }: { position: string; when: string; way: string }) =>
      `${position}, ${when}. ${way}`,
    explanation:
      "Storms are measured from your ship. With the link's ship they are measured from there, and yours is forgotten on this device.",
    keep: "Keep my ship",
    take: "Take the link's ship",
  },
};

export type ShipWords = typeof ship;
