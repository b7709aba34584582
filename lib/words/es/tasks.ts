import type { TasksWords } from "../en/tasks.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";
import { dates } from "./dates.ts";

const whole = (count: number) => formatNumber(count, 0, "es");
const points = (count: number) => plural("es", count, { one: "1 punto", other: `${whole(count)} puntos` });
const values = (count: number) => plural("es", count, { one: "1 valor", other: `${whole(count)} valores` });

const columns = {
  latitude: (title: string) => `latitud de «${title}»`,
  longitude: (title: string) => `longitud de «${title}»`,
  position: (title: string) => `posición de «${title}»`,
  date: (title: string) => `fecha de «${title}»`,
  instant: (title: string) => `hora de «${title}»`,
  name: (title: string) => `nombre de «${title}»`,
};

const times = {
  all: ", cada uno con su hora",
  some: ", no todos con hora",
  none: ", sin horas",
};

export const tasks: TasksWords = {
  points,

  titleDone: ({ count, title }) =>
    plural("es", count, {
      one: `(1 terminada) ${title}`,
      other: `(${count} terminadas) ${title}`,
    }),

  inbox: {
    heading: "Tareas",
    newTask: "Nueva tarea",
    show: "Mostrar",
    filters: { all: "Todas", PENDING: "Pendientes", SUCCESS: "Terminadas", FAILURE: "Fallidas" },
    ended: ({ title, state }) => `${title}: ${state}`,
    reading: "Leyendo la lista…",
    none: "No hay tareas. Las peticiones grandes aparecen aquí.",
    noneInState: "Ninguna tarea está en este estado.",
    newestOnly: "Se muestran las 100 más recientes; la API las da todas.",
  },

  keyNeeded: {
    why: "Las tareas necesitan una clave de acceso. Una tarea pertenece al titular de la clave con la que se envió, el único que lee su resultado; un visitante sin clave no posee nada.",
    byMail:
      "Se puede enviar a su correo electrónico un enlace a una clave. El mapa se puede consultar sin ella.",
    byOperator: "Pida una clave a quien gestiona este servicio. El mapa se puede consultar sin ella.",
    getKey: "Obtener o introducir una clave",
    enterKey: "Introducir una clave",
  },

  untitled: {
    MetOcean: "Puntos sin nombre",
    "2DMetOcean": "Zona del mapa sin nombre",
    "passages/evaluate": "Travesías sin nombre",
    files: "Archivo sin nombre",
    "passages/optimise": "Mejor ruta sin nombre",
    route: "Ruta sin nombre",
  },

  row: {
    boxValues: (count) => `${values(count)} de una zona del mapa`,
    miles: (count) => `${whole(count)} M de una mejor ruta`,
    passagePlaces: (count) =>
      plural("es", count, { one: "1 lugar de una travesía", other: `${whole(count)} lugares de travesías` }),
    asked: (age) => `pedida ${age}`,
    compressed: (size) => `${size} comprimidos`,
    noMail: "sin correo: este servicio o esta clave no tiene ninguno configurado",
    mailWhenDone: "correo al terminar",
    mailAsked: "correo solicitado",
    expired: "el resultado ha caducado",
    keptUntil: ({ day, month, year, clock }) =>
      `se guarda hasta el ${day} ${dates.months[month - 1]} ${year}, ${clock} UTC`,
    progressOf: ({ title }) => `Progreso de ${title}`,
  },

  states: {
    done: "Terminada",
    cancelled: "Cancelada",
    failed: "Fallida",
    running: "En curso",
    runningAt: ({ percent }) => `En curso, ${percent} %`,
    next: "En espera, la siguiente",
    waiting: ({ position }) => `En espera, número ${position} en la cola`,
  },

  actions: {
    download: "Descargar",
    downloadOf: ({ title }) => `Descargar ${title}`,
    openOnMap: "Abrir en el mapa",
    repeat: "Repetir",
    cancel: "Cancelar",
    delete: "Eliminar",
    copyId: "Copiar id",
    copyIdOf: ({ title }) => ` de ${title}`,
  },

  undo: {
    deleting: ({ title }) => `«${title}» se está eliminando.`,
    undo: "Deshacer",
    undoOf: ({ title }) => ` la eliminación de ${title}`,
    failed: ({ title, reason }) => `«${title}» no se pudo eliminar: ${reason}`,
  },

  notice: {
    failed: ({ reason }) => `No se pueden mostrar los puntos de esta tarea: ${reason}`,
    none: "Esta tarea no tiene puntos que se puedan dibujar.",
    shown: ({ name, count }) => [name, `: ${points(count)}`],
    close: "Quitar los puntos del mapa",
  },

  form: {
    kind: "De qué trata",
    kinds: { MetOcean: "Una lista de puntos", "2DMetOcean": "Una zona del mapa" },
    name: "Nombre, para encontrarla después",
    mail: "Enviar un correo al terminar",
    sending: "Enviando…",
    start: "Iniciar la tarea",
  },

  durations: {
    few: "unos segundos",
    seconds: (count) => `unos ${count} s`,
    minutes: (count) => `unos ${count} min`,
    hours: (count) => `unas ${whole(count)} h`,
  },

  box: {
    what: "Magnitud",
    sides: { south: "Sur, °N", north: "Norte, °N", west: "Oeste, °E", east: "Este, °E" },
    from: "Desde, UTC",
    to: "Hasta, UTC",
    wrongLatitudes: "Las latitudes deben estar entre −90 y 90, primero la del sur.",
    wrongLongitudes:
      "Las longitudes deben estar entre −180 y 180; si la del oeste es mayor, la zona cruza los 180°.",
    wrongTimes: "Las horas se escriben como 2026-09-15T12:00:00Z, primero la anterior.",
    tooLong: ({ days }) => `Una petición abarca como máximo ${days} días.`,
    tooMany: ({ count, most }) =>
      `Unos ${values(count)} son más de los que admite una tarea (${whole(most)}): elija una zona menor o un tiempo más corto.`,
    estimate: ({ count, size, duration }) =>
      `Unos ${values(count)}, ${size} en JSON, ${duration} de cálculo.`,
  },

  list: {
    file: "Archivo: GPX, o CSV o Excel (.xlsx) con latitud, longitud y, si la hay, hora",
    paste: "O péguela aquí",
    reading: "Se está leyendo la lista.",
    choose: "Elija un archivo GPX, CSV o Excel, o pegue una lista.",
    tooMany: ({ count, most }) => `${points(count)} son más de los que admite una tarea (${whole(most)}).`,
    refusedRows: "Algunos puntos no se pueden leer: corríjalos y vuelva a elegir el archivo, o descártelos.",
    noQuantity: "Elija al menos una magnitud.",
    someUntimed:
      "No todos los puntos tienen hora: indique la hora de salida (2026-09-15T12:00:00Z) y la velocidad.",
    untimed: "La lista no tiene horas: indique la hora de salida (2026-09-15T12:00:00Z) y la velocidad.",
    estimate: ({ count, size, duration }) =>
      `${points(count)}, cerca de ${size} en JSON, ${duration} de cálculo.`,
    departure: "Salida del primer punto, UTC",
    speed: "Velocidad, nudos",
    quantities: "Magnitudes",
    repeated: "La tarea que se repite",
  },

  preview: {
    which: "El archivo tiene varias listas. ¿Cuál?",
    read: ({ file, count, timed }) => `${file && `${file}: `}${points(count)}${times[timed]}.`,
    drawnTimes:
      "Las horas del archivo son aquellas en que se dibujaron sus puntos, no las de una travesía. No se utilizan.",
    columns: ({ found, isUtc }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join(", ");
      const how =
        read === undefined
          ? "Ninguna línea nombra las columnas: se lee primero la latitud y después la longitud."
          : `Leído: ${read}.`;
      return isUtc ? `${how} Las horas se toman como UTC.` : how;
    },
    refused: ({ read, refused }) =>
      plural("es", refused, {
        one: `No se puede leer 1 punto de ${whole(read + refused)}.`,
        other: `No se pueden leer ${whole(refused)} puntos de ${whole(read + refused)}.`,
      }),
    leaveOut: "Descartar estos puntos",
    dateOrder: "Las fechas como 03/04/2026 se pueden leer de dos maneras. Aquí son",
    dateOrders: { "day-month": "día/mes/año", "month-day": "mes/día/año" },
    miles: (count) => `${whole(count)} M`,
    planned: ({ speed }) => `prevista a ${speed} kn`,
    leaves: ({ when }) => `salida ${when}`,
  },
};
