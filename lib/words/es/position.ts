import type { PositionWords } from "../en/position.ts";
import { plural } from "../plural.ts";

export const position: PositionWords = {
  field: "Posición",
  placeholder: "48 30N 005 10W o un lugar",
  open: "Ir a una posición",
  submit: "Ir a la posición",
  places: "Lugares",
  found: (count) =>
    plural("es", count, {
      one: `${count} lugar debajo del campo.`,
      other: `${count} lugares debajo del campo.`,
    }),
  notLoaded:
    "No se pudo cargar la lista de lugares. Aun así puede escribir una posición, por ejemplo 48 30N 005 10W.",
  kinds: {
    ocean: "Océano",
    sea: "Mar, bahía o estrecho",
    cape: "Cabo",
    island: "Isla",
    port: "Puerto",
    town: "Población costera",
  },
  inRegion: ({ kind, region }) => `${kind}, ${region}`,
  invalid: {
    empty: "Escriba una posición, por ejemplo 48 30N 005 10W, o el nombre de un puerto, un cabo o un mar.",
    name: "Aquí no se conoce ningún lugar con ese nombre. Escriba otro nombre o una posición como 48 30N 005 10W.",
    words:
      "Hay una palabra o un signo que no pertenece a ninguna posición. Escríbala como 48 30N 005 10W, 48°30.5′N 5°10′W o 48.5, −5.17.",
    half: "Falta la otra mitad de la posición. Escriba latitud y longitud, por ejemplo 48 30N 005 10W.",
    twice:
      "La latitud o la longitud aparece dos veces. Escriba cada una una sola vez, por ejemplo 48 30N 005 10W.",
    numbers:
      "No se sabe qué números son la latitud. Ponga una coma entre las dos mitades o letras después de ellas, por ejemplo 48 30N, 005 10W.",
    minutes: "Los minutos y los segundos llegan hasta 59,999.",
    "latitude-range": "La latitud debe estar entre 90° sur y 90° norte.",
    "longitude-range": "La longitud debe estar entre 180° oeste y 180° este, o entre 0° y 360° este.",
    "sign-and-letter": "La misma mitad tiene un signo menos y una letra: quite uno de los dos.",
    "missing-number": "Una letra no tiene número. Escríbala como 48 30N 005 10W.",
  },
  unclear: {
    "letter-o": "La O significa oeste en unos idiomas y este en otros. Elija la posición correcta:",
    "no-letter": "Una mitad tiene letra y la otra no. Elija la posición correcta:",
    comma: "La coma puede ser el signo decimal o separar dos números. Elija la posición correcta:",
    hyphen: "El guion puede ser un signo menos. Elija la posición correcta:",
    order: "El primer número es demasiado grande para una latitud. ¿Se refiere a este lugar?",
  },
};
