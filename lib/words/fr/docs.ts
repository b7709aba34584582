import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {
  title: ({ service }) => `${service} : API`,
  calls: ({ header, openapi, limits }) => [
    "Chaque appel, hormis ceux qui sont ouverts, porte une clé d’accès dans l’en-tête ",
    header,
    ". Les corps sont du JSON en UTF-8. ",
    openapi,
    " est cette page pour les machines ; ",
    limits,
    " énumèrent toutes les limites en vigueur.",
  ],
  limits: "les limites",
  operations: "Opérations",
  bodies: "Corps",
  noKey: "Sans clé.",
  body: "Corps : ",
  field: "Champ",
  type: "Type",
  rules: "Règles",
  optional: ", facultatif",
};
