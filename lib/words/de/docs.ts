import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {
  title: ({ service }) => `${service}: API`,
  calls: ({ header, openapi, limits }) => [
    "Jeder Aufruf außer den offenen enthält einen Zugangsschlüssel im Header ",
    header,
    ". Anfragen und Antworten sind JSON in UTF-8. ",
    openapi,
    " ist diese Seite in maschinenlesbarer Form; ",
    limits,
    " nennen alle Grenzwerte, die gelten.",
  ],
  limits: "die Limits",
  operations: "Operationen",
  bodies: "Inhalte",
  noKey: "Ohne Schlüssel.",
  body: "Inhalt: ",
  field: "Feld",
  type: "Typ",
  rules: "Regeln",
  optional: ", optional",
};
