/** What stands around the reference of the API, which is in English. */
export const docs = {
  title: ({ service }: { service: string }) => `${service}: API`,
  /** @param header Its name. @param openapi, limits Links to other forms of the reference. */
  calls: <Part>({ header, openapi, limits }: { header: Part; openapi: Part; limits: Part }) => [
    "Every call but the open ones carries an API key in the header ",
    header,
    ". Bodies are JSON in UTF-8. ",
    openapi,
    " is this page for machines; ",
    limits,
    " lists every limit in force.",
  ],
  limits: "limits",
  /** The list of operations, and the link over it. */
  operations: "Operations",
  overview: "Overview",
  skip: "Skip the list of operations",
  groups: {
    points: "Points",
    boxes: "Boxes and files",
    storms: "Storms",
    passages: "Passages",
    tasks: "Tasks",
    watches: "Watches and alerts",
    edr: "OGC API – EDR",
    discovery: "The service",
  },
  noKey: "No key is needed.",
  visitors: "Open to visitors without a key, where the operator lets them in.",
  /** Before the limit of a group of operations, such as "10 per 1 minute". */
  rate: ({ limit, group }: { limit: string; group: string }) =>
    `Rate limit: ${limit}, counted in the group “${group}”; a key may have its own.`,
  body: "Body",
  parameters: "Parameters",
  limitsHeading: "Limits",
  replies: "Replies and errors",
  status: "Status",
  meaning: "Meaning",
  fields: ({ count }: { count: number }) => (count === 1 ? "1 field" : `${count} fields`),
  field: "Field",
  type: "Type",
  rules: "Rules",
  /** After a type. */
  optional: ", optional",
  required: "required",
  /** The form of a request. */
  tryIt: "Try it",
  format: "Format of the reply",
  send: "Send",
  stop: "Stop",
  reset: "Back to the example",
  changes: "This changes what is stored for your key.",
  /** @param reason In English. */
  notJson: ({ reason }: { reason: string }) => `This is not JSON: ${reason}`,
  /** @param from An operation, such as GET /storms. */
  takeOne: ({ from }: { from: string }) => `Take one from ${from}`,
  noneYet: ({ from }: { from: string }) => `There is none yet. It comes from ${from}.`,
  /** Programs that send the request. */
  program: "As a program",
  /** @param variable Its name. */
  keyVariable: ({ variable }: { variable: string }) => `The program reads its key from ${variable}.`,
  copy: "Copy",
  reply: "Reply",
  nothingYet: "The reply appears here.",
  waiting: "Waiting for the reply…",
  headers: "Headers",
  download: "Save as a file",
  /** @param shown, whole Sizes, such as 20 kB. */
  cut: ({ shown, whole }: { shown: string; whole: string }) => `The first ${shown} of ${whole} are shown.`,
  tooLong: ({ most }: { most: string }) => `The reply is longer than ${most}: the rest was not read.`,
  notText: "This is a binary file.",
  noBody: "The reply has no body.",
};

export type DocsWords = typeof docs;
