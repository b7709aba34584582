import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {
  title: ({ service }) => `${service}: API`,
  calls: ({ header, openapi, limits }) => [
    "Cada llamada, salvo las abiertas, lleva una clave de acceso en la cabecera ",
    header,
    ". Los cuerpos son JSON en UTF-8. ",
    openapi,
    " es esta página para máquinas; ",
    limits,
    " enumeran todos los límites vigentes.",
  ],
  limits: "los límites",
  operations: "Operaciones",
  bodies: "Cuerpos",
  noKey: "Sin clave.",
  body: "Cuerpo: ",
  field: "Campo",
  type: "Tipo",
  rules: "Reglas",
  optional: ", opcional",
};
