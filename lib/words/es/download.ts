import type { DownloadWords } from "../en/download.ts";
import { formatNumber } from "../number.ts";

export const download: DownloadWords = {
  title: "Descargar",
  intro: "Un archivo de lo que muestra el mapa: para plotters, programas y tablas.",
  area: {
    title: "Zona",
    kinds: {
      view: "Esta vista",
      box: "Un rectángulo",
      storm: "Alrededor de un ciclón",
      route: "A lo largo de mi travesía",
    },
    follows: "Sigue al mapa hasta que se cambie.",
    sides: { north: "Norte, °N", south: "Sur, °N", west: "Oeste, °E", east: "Este, °E" },
    draw: "Dibujar en el mapa",
    show: "Mostrar en el mapa",
    storm: "Ciclón",
    radius: "Alrededor de su trayectoria, M",
    width: "A cada lado, M",
    noStorms: "Ahora no hay ningún ciclón.",
    noRoute: "Aún no hay travesía: prepare una en la pestaña Travesía.",
  },
  drawing: {
    title: "Dibujar un rectángulo",
    byMouse: "Arrastre un rectángulo sobre el mapa, o pulse dos esquinas opuestas.",
    byTouch: "Arrastre un rectángulo con un dedo, o toque dos esquinas opuestas.",
    second: "Ahora la esquina opuesta.",
    cancel: "Cancelar",
  },
  variables: {
    title: "Variables",
    asShown: "Como en el mapa",
    notInGrib: "GRIB2 no tiene forma para ella: elija NetCDF o CSV.",
  },
  times: {
    title: "Horas",
    from: (clock) => `Desde, ${clock}`,
    to: (clock) => `Hasta, ${clock}`,
    step: "Paso",
    native: "Todas las horas del modelo",
    hours: (hours) => `${hours} h`,
  },
  resolution: {
    title: "Resolución",
    full: "Malla completa",
    every: (stride) => `Un punto de cada ${stride}`,
  },
  format: {
    title: "Formato",
    names: { grib2: "GRIB2", netcdf: "NetCDF", csv: "CSV" },
    uses: {
      grib2: "Para OpenCPN, XyGrib, qtVlm, LuckGrib y otros plotters.",
      netcdf: "Para xarray, Panoply y otros programas.",
      csv: "Una tabla: una línea por lugar y hora.",
    },
    smaller: "Archivo más pequeño, no para todos los plotters",
    smallerWhy: "Empaquetado complejo: lo leen eccodes, cdo, xarray y OpenCPN; XyGrib no.",
  },
  problems: {
    latitudes: "Las latitudes van de −90 a 90, el sur por debajo del norte.",
    longitudes: "Las longitudes van de −180 a 180.",
    times: "El final no debe ser anterior al comienzo.",
    long: ({ days }) => `El periodo debe ser de ${days} días como máximo.`,
    variables: "Elija al menos una variable.",
    view: "El mapa aún se está abriendo.",
    storm: "Elija un ciclón.",
    route: "Aún no hay travesía.",
    grib: "No en GRIB2: quite lo marcado, o elija otro formato.",
  },
  estimate: {
    waiting: "Calculando el tamaño …",
    about: ({ size, steps, grid }) =>
      `Unos ${size}: ${formatNumber(steps, 0, "es")} ${steps === 1 ? "hora" : "horas"}, ${grid} puntos.`,
    task: "Demasiado grande para responder al momento: una tarea lo prepara y lo guarda para usted.",
    tooLarge:
      "Demasiado grande para un archivo: reduzca la zona, las horas o las variables, o la resolución.",
  },
  actions: {
    download: "Descargar",
    task: "Crear una tarea",
    cancel: "Cancelar",
    preparing: "El servidor prepara el archivo …",
    receiving: (size) => `${size} recibidos …`,
    done: ({ name, size }) => `Guardado: ${name}, ${size}.`,
    cancelled: "Cancelado.",
    sent: "La tarea está aceptada. Su archivo estará entre las tareas.",
    toTasks: "Ir a las tareas",
    needsKey: "Los archivos necesitan una clave de API propia.",
    offline: "Sin conexión: se podrá hacer un archivo cuando la haya.",
  },
  faults: {
    tooLarge: "El servidor no responde a esto al momento: es demasiado grande. Cree una tarea, o pida menos.",
    busy: "El servidor está ocupado. Inténtelo de nuevo en un momento.",
    full: "Su espacio de resultados está lleno: borre tareas que ya no necesite.",
    gone: "Ese ciclón ya no existe.",
  },
};
