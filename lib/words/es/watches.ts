import type { WatchesWords } from "../en/watches.ts";
import { plural } from "../plural.ts";

const hours = (count: number) => plural("es", count, { one: "1 hora", other: `${count} horas` });

export const watches: WatchesWords = {
  quantities: {
    wind_kt: "Viento",
    gust_kt: "Rachas",
    sea_m: "Altura significativa de las olas",
    swell_m: "Mar de fondo",
    current_kt: "Corriente",
    rain_mm_h: "Lluvia",
    pressure_hpa: "Presión",
    cape_j_kg: "CAPE (tormentas)",
    storm_nm: "Distancia de la zona de peligro de un ciclón",
  },
  over: (limit) => `más de ${limit}`,
  under: (limit) => `menos de ${limit}`,

  message: {
    over: ({ quantity, limit, from, value, peak }) =>
      `${quantity}: más de ${limit} desde ${from}, como máximo ${value} (${peak}).`,
    under: ({ quantity, limit, from, value, peak }) =>
      `${quantity}: menos de ${limit} desde ${from}, como mínimo ${value} (${peak}).`,
    storm: ({ storm, value, limit, from }) =>
      `Zona de peligro de ${storm}: a ${value}, ${from}; el límite es ${limit}.`,
    inStorm: ({ storm, from }) => `Dentro de la zona de peligro de ${storm} desde ${from}.`,
    window: ({ count, from, to, quantity, value }) =>
      `${hours(count)} seguidas, de ${from} a ${to}. ${quantity}: ${value} donde más se acerca a su límite.`,
    noWindow: ({ count }) => `No hay ${hours(count)} seguidas como se piden.`,
    within: ({ quantity, value, peak, limit }) => `${quantity}: ${value} (${peak}); el límite es ${limit}.`,
    noStorm: "Ninguna zona de peligro de un ciclón está dentro del límite.",
    cleared: ({ sentence }) => `Ya no se cumple. ${sentence}`,
    unknown: "No hay predicción para saberlo.",
    newRun: ({ run }) => `Se ha publicado una pasada nueva: ${run}.`,
    run: ({ run }) => `Predicción: ${run}.`,
    lead: (span) => `Dentro de ${span}.`,
    test: "Esto es una prueba.",
    synthetic: "Los números vienen del mundo de demostración: son inventados.",
    notForNavigation: "No apto para la navegación.",
  },
  titles: {
    cleared: "ya no se cumple",
    test: "prueba",
    newRun: "pasada nueva",
    window: "ventana de buen tiempo",
  },

  page: {
    heading: "Vigilancias y avisos",
    inbox: "Avisos",
    list: "Vigilancias",
    add: "Vigilancia nueva",
    noAlerts: "No hay avisos. Lo que encuentra una vigilancia aparece aquí.",
    noWatches:
      "No hay vigilancias. Una vigilancia hace la misma pregunta a cada predicción nueva y avisa cuando cambia la respuesta.",
    reading: "Leyendo…",
    unread: (count) => plural("es", count, { one: "1 sin leer", other: `${count} sin leer` }),
    markAll: "Marcar todo como leído",
    markRead: "Marcar como leído",
    openMap: "Abrir en el mapa",
    older: "Avisos anteriores",
    kinds: {
      fired: "Aviso",
      cleared: "Fin del aviso",
      new_run: "Pasada nueva",
      test: "Prueba",
      channel: "Envío",
    },
    states: {
      waiting: "Aún sin evaluar",
      quiet: "No se cumple",
      firing: "Se cumple",
      unknown: "Sin predicción",
      failed: "Ha fallado, se repetirá",
      paused: "En pausa",
      expired: "Caducada",
    },
    test: "Enviar una prueba",
    tested: "Una prueba está en camino: aparece aquí y por cada medio de esta vigilancia.",
    pause: "Pausar",
    resume: "Reanudar",
    edit: "Cambiar",
    delete: "Borrar",
    deleted: ({ name }) => `Se ha borrado «${name}».`,
    undo: "Deshacer",
    ofWatch: ({ name }) => `: ${name}`,
    evaluated: (age) => `evaluada ${age}`,
    until: (day) => `hasta el ${day}`,
    browser:
      "Mostrar los avisos también como notificaciones de este navegador mientras esta página esté abierta",
    browserDenied: "Este navegador no permite notificaciones de esta página.",
    keyNeeded: "Las vigilancias necesitan una clave de acceso: son de su titular, el único que las lee.",
    enterKey: "Introducir una clave de acceso",
    newAlert: ({ title }) => `Aviso nuevo: ${title}`,
  },

  form: {
    title: "Vigilar este lugar",
    changeTitle: "Cambiar la vigilancia",
    name: "Nombre",
    kind: "Avisar de",
    kinds: {
      danger: "Demasiado viento o mar",
      window: "Una ventana de buen tiempo",
      storm: "Un ciclón",
      run: "Una pasada nueva",
    },
    when: "Avisar cuando, en las próximas horas,",
    any: "se cumpla una de estas condiciones",
    all: "se cumplan todas a la misma hora",
    quantity: "Magnitud",
    comparison: "Más o menos",
    limit: ({ unit }) => `Límite, ${unit}`,
    addCondition: "Añadir una condición",
    removeCondition: "Quitar",
    ahead: "Horas por delante",
    lasting: "Horas seguidas",
    within: "Más cerca de, M",
    save: "Guardar la vigilancia",
    saving: "Guardando…",
    saved: "Guardada. Pregunta ahora a la predicción, y después a cada nueva.",
    toList: "Todas las vigilancias",
    cancel: "Cancelar",
    margin:
      "Avisa una vez cuando se cumple y una vez cuando deja de cumplirse. Para que no vaya y venga, un valor debe volver dentro de su límite con un margen: viento 2 kn, rachas 3 kn, olas 0,3 m, ciclones 20 M.",
    stormName: ({ position }) => `Ciclones cerca de ${position}`,
    windowName: ({ position }) => `Ventana de buen tiempo, ${position}`,
    runName: "Pasadas nuevas",
    routeName: "Mi travesía",
    routeAbout:
      "La travesía tal como está planificada, con su salida y su barco; en lo que queda por delante.",
    tooManyWaypoints: ({ count, most }) =>
      `Esta ruta tiene ${count} puntos, y una vigilancia puede tener ${most}: quite algunos.`,
    tooLong: "Esta travesía es demasiado larga para vigilarla entera: vigile una parte.",
    wrongNumber: ({ what, least, most }) => `${what}: un número de ${least} a ${most}.`,
  },
};
