import type { PassageRouteWords } from "../en/passage-route.ts";
import { plural } from "../plural.ts";

const waypoints = (count: number) =>
  plural("es", count, { one: `${count} waypoint`, other: `${count} waypoints` });

export const passageRoute: PassageRouteWords = {
  title: "Travesía",
  route: "Ruta",
  raise: "Suba el panel para planificar una travesía.",
  empty: "Trace una ruta en el mapa, escriba posiciones o lugares, o importe un archivo.",
  summary: ({ count, length }) => `${waypoints(count)}, ${length}`,
  name: "Nombre del plan",
  draw: "Trazar en el mapa",
  undo: "Deshacer",
  redo: "Rehacer",
  reverse: "Invertir",
  reversed: "La ruta va ahora en el otro sentido.",
  add: "Añadir una posición o un lugar",
  addPlaceholder: "48 23N 004 30W o un puerto",
  addSubmit: "Añadir a la ruta",
  added: ({ number, place }) => `Waypoint ${number} añadido: ${place}.`,
  full: (most) => `Una ruta tiene como máximo ${most} waypoints.`,
  notKept: "Este navegador no conserva el plan. Guárdelo en un archivo antes de salir de la página.",
  damagedLink: "El plan de este enlace no se puede leer: se cortó o se modificó. Su propio plan sigue igual.",
  keptAs: (name) => `Este es el plan del enlace. Su plan anterior está guardado como «${name}».`,
  allLegs: "Todos los tramos",
  legs: { great_circle: "Ortodrómica", rhumb: "Loxodrómica" },
  table: {
    title: "Waypoints",
    waypoint: "Waypoint",
    course: "Rumbo",
    distance: "Distancia",
    rhumb: "loxodrómica",
    help: "Las flechas pasan de un waypoint a otro, Intro abre uno, Alt y una flecha lo mueven en el orden, Supr lo elimina.",
  },
  edit: {
    title: (number) => `Waypoint ${number}`,
    position: "Posición",
    name: "Nombre",
    leg: "Tramo hasta aquí",
    earlier: "Antes",
    later: "Después",
    insert: "Insertar antes",
    show: "Mostrar en el mapa",
    remove: "Eliminar",
    unclear: "Puede referirse a varios lugares. Escríbala como 48 30N 005 10W.",
  },
  drawing: {
    title: "Trazado de una ruta",
    byMouse:
      "Haga clic para añadir un waypoint, arrastre uno para moverlo, haga clic en un tramo para dividirlo. Con el teclado, Intro añade en la cruz, Retroceso deshace, Esc termina.",
    byTouch: "Toque para añadir un waypoint, arrastre uno para moverlo, toque un tramo para dividirlo.",
    done: "Listo",
  },
  file: {
    title: "Importar una ruta",
    choose: "Archivo: GPX, RTZ, KML, GeoJSON, CSV o .xlsx",
    paste: "O pegue posiciones, o el texto de un archivo",
    usePasted: "Usar este texto",
    reading: "Leyendo…",
    which: "Este archivo tiene varias listas. ¿Cuál es la ruta?",
    unread: "Estos puntos no se pueden leer y se omitirían:",
    take: ({ title, count }) => `${title}: ${waypoints(count)}`,
    read: ({ count, from, within, refused }) =>
      [
        `Importado: ${waypoints(count)}.`,
        ...(from !== undefined && within !== undefined
          ? [
              `El archivo tiene ${from} puntos: se omitieron los que están a menos de ${within} M de la línea.`,
            ]
          : []),
        ...(refused === undefined
          ? []
          : [
              plural("es", refused, {
                one: "1 punto no se pudo leer y se omitió.",
                other: `${refused} puntos no se pudieron leer y se omitieron.`,
              }),
            ]),
      ].join(" "),
    save: "Guardar la ruta, compartir el plan",
    copyLink: "Copiar el enlace al plan",
    linkCut:
      "El enlace no lleva los nombres de los waypoints ni su propia tabla de velocidades o polar: sería demasiado largo.",
  },
  saved: {
    title: "Planes en este dispositivo",
    save: "Guardar el plan",
    needsName: "Primero dé un nombre al plan.",
    start: "Plan nuevo",
    cleared: "Plan nuevo. Deshacer recupera el anterior.",
    saved: (name) => `Guardado: «${name}».`,
    replaced: (name) => `«${name}» se ha reemplazado.`,
    notSaved:
      "Este navegador no guardó el plan: su almacenamiento está lleno o desactivado. Guárdelo en un archivo.",
    open: (name) => `Abrir «${name}»`,
    opened: (name) => `«${name}» está abierto.`,
    remove: (name) => `Eliminar «${name}»`,
    removed: (name) => `«${name}» se ha eliminado.`,
    undo: "Deshacer",
    back: "Se ha recuperado.",
  },
};
