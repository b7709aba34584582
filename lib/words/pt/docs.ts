import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {
  title: ({ service }) => `${service}: API`,
  calls: ({ header, openapi, limits }) => [
    "Cada chamada, exceto as abertas, leva uma chave de acesso no cabeçalho ",
    header,
    ". Os corpos são JSON em UTF-8. ",
    openapi,
    " é esta página para máquinas; ",
    limits,
    " enumeram todos os limites em vigor.",
  ],
  limits: "os limites",
  operations: "Operações",
  bodies: "Corpos",
  noKey: "Sem chave.",
  body: "Corpo: ",
  field: "Campo",
  type: "Tipo",
  rules: "Regras",
  optional: ", opcional",
};
