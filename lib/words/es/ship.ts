import type { ShipWords } from "../en/ship.ts";

export const ship: ShipWords = {
  title: "Mi barco",
  invitation:
    "Sitúe su barco: el mapa lo hace avanzar según su rumbo y su velocidad, y los ciclones se ordenan según lo cerca que pasarán de él. Queda solo en este dispositivo.",
  raise: "Suba este panel para situar su barco.",
  atAnchor: "Fondeado.",
  underWay: ({ course, speed }) => `Rumbo ${course} a ${speed} kn, por estima sobre una loxodrómica.`,
  positionOf: ({ when, clock, age }) => `Hora de la posición: ${when} ${clock}, ${age}.`,
  planned:
    "Esta posición es de una hora futura: hasta entonces el barco se dibuja ahí, y las distancias a los ciclones se calculan a partir de esa hora.",
  oldAtAnchor: (age) => `Esta posición se introdujo ${age}: ¿sigue ahí el barco?`,
  oldUnderWay: (age) =>
    `Esta posición se introdujo ${age}: el barco puede estar lejos de donde lo sitúa la estima. Introduzca una nueva.`,
  mapBefore: (when) =>
    `La hora del mapa, ${when}, es anterior a esta posición: el barco se dibuja en la posición introducida.`,
  mapAt: ({ when, position }) => `A la hora del mapa, ${when}, está en ${position}.`,
  centre: "Centrar el mapa en él",
  conditions: "Condiciones allí",
  edit: "Editar",
  forget: "Olvidar",
  bringBack: "Recuperar el barco olvidado",
  pinAtPoint: "Situar en el punto elegido",
  putHere: "Situar aquí mi barco",
  said: {
    forgotten: "Se ha olvidado su barco.",
    atAnchor: (position) => `Su barco está fondeado en ${position}.`,
    underWay: ({ position, course, speed }) =>
      `Su barco está en ${position}, rumbo ${course} a ${speed} nudos.`,
  },
  device: {
    ask: "Situar en mi posición",
    asking: "Consultando el dispositivo…",
    accurateToMiles: (miles) =>
      `La posición de este dispositivo solo tiene una precisión de ${miles} M: compruébela.`,
    accurateToMetres: (metres) => `Posición de este dispositivo, con una precisión de ${metres} m.`,
    failures: {
      refused:
        "Este navegador tiene prohibido dar la posición del dispositivo. Permítalo en sus ajustes para esta página o escriba la posición.",
      unknown:
        "Este dispositivo no conoce su posición en este momento. Inténtelo de nuevo al aire libre o escríbala.",
      late: "Este dispositivo no ha encontrado su posición en 30 segundos. Inténtelo de nuevo al aire libre o escríbala.",
      insecure:
        "Los navegadores solo dan la posición del dispositivo a direcciones seguras (https). Escriba la posición.",
    },
  },
  form: {
    position: "Posición",
    course: "Rumbo verdadero, °",
    speed: "Velocidad, kn",
    noSpeed: "fondeado",
    time: (clock) => `Hora de la posición, ${clock}`,
    timeOrNow: (clock) => `Hora de la posición, ${clock} (vacía: ahora)`,
    save: "Guardar",
    pin: "Situar mi barco",
    takeNow: "Tomar donde está ahora",
    cancel: "Cancelar",
    errors: {
      unclear: "Puede significar varios lugares. Escríbalo como 48 30N 005 10W.",
      position: "Esto no es una posición. Escríbala como 48 30N 005 10W o 48.5, −5.17.",
      course: "Un rumbo va de 0 a 360 grados.",
      speed: (most) => `Una velocidad va de 0 a ${most} nudos.`,
      noTime: "Introduzca también la hora: el servicio no ha comunicado qué hora es.",
      time: "Esto no es una fecha con hora.",
    },
  },
  choice: {
    title: "Este enlace trae otro barco",
    yours: "Su barco",
    linked: "El barco del enlace",
    line: ({ position, when, way }) => `${position}, ${when}. ${way}`,
    explanation:
      "Las distancias a los ciclones se calculan desde su barco. Con el barco del enlace se calculan desde ese, y el suyo se olvida en este dispositivo.",
    keep: "Conservar mi barco",
    take: "Tomar el barco del enlace",
  },
};
