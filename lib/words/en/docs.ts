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
  operations: "Operations",
  bodies: "Bodies",
  noKey: "No key.",
  /** Before the name of a table. */
  body: "Body: ",
  field: "Field",
  type: "Type",
  rules: "Rules",
  /** After a type. */
  optional: ", optional",
};

export type DocsWords = typeof docs;
