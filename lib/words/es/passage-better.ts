import type { PassageBetterWords } from "../en/passage-better.ts";

export const passageBetter: PassageBetterWords = {
  find: "Buscar una ruta mejor",
  stop: "Cancelar la búsqueda",
  about:
    "Busca otra ruta entre los mismos extremos, alrededor de la tierra y de los ciclones, para la misma salida.",
  objective: "Mejor significa",
  objectives: { within_limits: "Dentro de mis límites", fastest: "Más rápida" },
  order: {
    within_limits:
      "Orden: llega; se mantiene dentro de sus límites; el tiempo más corto, al que se suman ocho veces las horas fuera de los límites, ponderadas según el exceso: al doble de un límite, una hora cuenta como cuatro.",
    fastest:
      "Orden: llega; guarda su distancia a los ciclones; el tiempo más corto, al que se suman ocho veces las horas más cerca de los ciclones, ponderadas según la cercanía.",
  },
  searching: "Buscando una ruta mejor…",
  cancelled: "La búsqueda se canceló.",
  offline: "No hay red, y la búsqueda necesita el servicio.",
  none: "No se encontró una ruta mejor: conserve la suya.",
  found: (text) => `Ruta mejor: ${text}.`,
  same: "más o menos igual",
  leastBad: "Ninguna ruta queda dentro de sus límites todo el camino: esta es la menos mala.",
  crossesLand: (leg) => `Su propia ruta cruza tierra en el tramo ${leg}.`,
  stale: "El plan ha cambiado desde la búsqueda: busque de nuevo.",
  use: "Usar esta ruta",
  keep: "Conservar la mía",
  used: "El plan tiene ahora la ruta mejor; Deshacer devuelve la suya.",
  kept: "Su ruta queda como está.",
  own: "Su ruta",
  better: "Ruta mejor",
  weighted: "Fuera de límites, ponderado",
  caption: "Su ruta y la mejor",
  check:
    "Una propuesta que debe comprobarse en la carta: no se ven las rocas e islotes que este mapa no muestra, ni ninguna profundidad.",
  difference: {
    join: ", ",
    arrives: "llega, cosa que la suya no hace",
    later: (span) => `${span} más tarde`,
    earlier: (span) => `${span} antes`,
    longer: (distance) => `${distance} más`,
    shorter: (distance) => `${distance} menos`,
    sea: ({ better, own }) => `mar máxima ${better} en vez de ${own}`,
    wind: ({ better, own }) => `viento máximo ${better} en vez de ${own}`,
    over: ({ better, own }) => `${better} fuera de los límites en vez de ${own}`,
    weighted: ({ better, own }) => `ponderado según el exceso: ${better} en vez de ${own}`,
    noTime: "nada",
  },
  ashore: {
    start: ({ distance, position }) =>
      `La salida está en tierra. El agua más cercana está a ${distance}, en ${position}.`,
    end: ({ distance, position }) =>
      `La llegada está en tierra. El agua más cercana está a ${distance}, en ${position}.`,
    startInland: "La salida está en tierra, lejos de toda agua.",
    endInland: "La llegada está en tierra, lejos de toda agua.",
    move: "Moverla allí",
  },
  noWay:
    "No se encontró paso por agua: la búsqueda no conoce canales, esclusas ni estrechos angostos. Planifique por separado las partes de cada lado.",
  refused: {
    distance: ({ miles, most }) =>
      `Los extremos están a ${miles}; se buscan rutas de ${most} como máximo. Busque las partes una a una.`,
    hours: ({ span, most }) => `Esto lleva unas ${span}; se buscan ${most} como máximo. Busque una parte.`,
    forecast: ({ span, known }) =>
      `Esto lleva unas ${span}, y la predicción termina ${known} después de la salida. Salga antes, o busque una parte.`,
    loop: "La ruta termina donde empieza: no hay nada que buscar entre medias.",
    vessel: "Falta algo en el barco: vea Barco y límites.",
  },
};
