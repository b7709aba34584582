import type { DownloadWords } from "../en/download.ts";
import { formatNumber } from "../number.ts";

export const download: DownloadWords = {
  title: "Télécharger",
  intro: "Un fichier de ce que montre la carte : pour logiciels de navigation, programmes et tableaux.",
  area: {
    title: "Zone",
    kinds: {
      view: "Cette vue",
      box: "Un rectangle",
      storm: "Autour d’un cyclone",
      route: "Le long de ma traversée",
    },
    follows: "La zone suit la carte tant qu’on ne la change pas.",
    sides: { north: "Nord, °N", south: "Sud, °N", west: "Ouest, °E", east: "Est, °E" },
    draw: "Dessiner sur la carte",
    show: "Montrer sur la carte",
    storm: "Cyclone",
    radius: "Autour de sa trajectoire, M",
    width: "De chaque côté, M",
    noStorms: "Il n’y a pas de cyclone en ce moment.",
    noRoute: "Il n’y a pas encore de traversée : préparez-en une dans l’onglet Traversée.",
  },
  drawing: {
    title: "Dessiner un rectangle",
    byMouse: "Tracez un rectangle sur la carte, ou cliquez deux coins opposés.",
    byTouch: "Tracez un rectangle d’un doigt, ou touchez deux coins opposés.",
    second: "Maintenant le coin opposé.",
    cancel: "Annuler",
  },
  variables: {
    title: "Variables",
    asShown: "Comme sur la carte",
    notInGrib: "GRIB2 n’a pas de forme pour elle : choisissez NetCDF ou CSV.",
  },
  times: {
    title: "Dates",
    from: (clock) => `Du, ${clock}`,
    to: (clock) => `Au, ${clock}`,
    step: "Pas",
    native: "Toutes les échéances du modèle",
    hours: (hours) => `${hours} h`,
  },
  resolution: {
    title: "Résolution",
    full: "Grille entière",
    every: (stride) => `Un point sur ${stride}`,
  },
  format: {
    title: "Format",
    names: { grib2: "GRIB2", netcdf: "NetCDF", csv: "CSV" },
    uses: {
      grib2: "Pour OpenCPN, XyGrib, qtVlm, LuckGrib et d’autres logiciels de navigation.",
      netcdf: "Pour xarray, Panoply et d’autres programmes.",
      csv: "Un tableau : une ligne par lieu et par date.",
    },
    smaller: "Fichier plus petit, pas pour tous les logiciels",
    smallerWhy: "Compactage complexe : eccodes, cdo, xarray et OpenCPN le lisent, XyGrib non.",
  },
  problems: {
    latitudes: "Les latitudes vont de −90 à 90, le sud sous le nord.",
    longitudes: "Les longitudes vont de −180 à 180.",
    times: "La fin ne doit pas précéder le début.",
    long: ({ days }) => `La période doit être de ${days} jours au plus.`,
    variables: "Choisissez au moins une variable.",
    view: "La carte s’ouvre encore.",
    storm: "Choisissez un cyclone.",
    route: "Il n’y a pas encore de traversée.",
    grib: "Pas en GRIB2 : retirez ce qui est marqué, ou changez de format.",
  },
  estimate: {
    waiting: "Calcul de la taille …",
    about: ({ size, steps, grid }) =>
      `Environ ${size} : ${formatNumber(steps, 0, "fr")} ${steps < 2 ? "échéance" : "échéances"}, ${grid} points.`,
    task: "Trop grand pour une réponse immédiate : une tâche le prépare et le garde pour vous.",
    tooLarge:
      "Trop grand pour un seul fichier : réduisez la zone, les dates ou les variables, ou la résolution.",
  },
  actions: {
    download: "Télécharger",
    task: "Créer une tâche",
    cancel: "Annuler",
    preparing: "Le serveur prépare le fichier …",
    receiving: (size) => `${size} reçus …`,
    done: ({ name, size }) => `Enregistré : ${name}, ${size}.`,
    cancelled: "Annulé.",
    sent: "La tâche est acceptée. Son fichier sera parmi les tâches.",
    toTasks: "Voir les tâches",
    needsKey: "Les fichiers demandent une clé d’API à vous.",
    offline: "Hors ligne : un fichier pourra être fait avec une connexion.",
  },
  faults: {
    tooLarge:
      "Le serveur n’y répond pas tout de suite : c’est trop grand. Créez une tâche, ou demandez moins.",
    busy: "Le serveur est occupé. Réessayez dans un instant.",
    full: "Votre espace de résultats est plein : supprimez des tâches devenues inutiles.",
    gone: "Ce cyclone n’existe plus.",
  },
};
