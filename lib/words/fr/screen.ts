import type { ScreenWords } from "../en/screen.ts";
import { formatNumber } from "../number.ts";
import { from, towards } from "./from.ts";

export const screen: ScreenWords = {
  pages: {
    description: "Météo marine et état de l’océan sur une carte. Ne pas utiliser pour la navigation.",
    titles: { tasks: "Tâches", status: "État", docs: "API" },
    label: "Pages",
    map: "Carte",
    tasks: "Tâches",
    feeds: "Sources",
    docs: "API",
    storms: (count) => (count > 0 ? `Cyclones (${count})` : "Cyclones"),
    missing: {
      title: "Cette page n’existe pas",
      text: ({ map, docs }) => [
        "La carte se trouve à ",
        map("la page d’accueil"),
        ", la référence de l’API à l’adresse ",
        docs,
        ".",
      ],
    },
    stopped: {
      title: "Cette page s’est arrêtée",
      text: "Une partie de la page est en défaut ou n’a pas pu être chargée. La vue reste dans l’adresse, et les tâches continuent d’elles-mêmes.",
      reload: "Recharger la page",
    },
  },
  disclaimer: {
    title: "Ne pas utiliser pour la navigation",
    sentence: "Ne pas utiliser pour la navigation.",
    text: "Les prévisions et les analyses proviennent de modèles informatiques\u202f; elles peuvent être fausses, tardives ou manquer. Ne les utilisez que pour préparer votre route. Elles ne remplacent ni les prévisions et avis officiels (NAVTEX, SafetyNET), ni les cartes marines, ni le jugement du capitaine. En présence d’un cyclone tropical, suivez les avis du CMRS ou du centre d’alerte compétent. Près des côtes, dans les détroits et dans les eaux à marée, les valeurs en mer sont approximatives.",
    invented: "Les données affichées sont inventées.",
    printed:
      "Les prévisions et les analyses proviennent de modèles informatiques\u202f; elles peuvent être fausses, tardives ou manquer. Ne les utilisez que pour préparer votre route. En présence d’un cyclone tropical, suivez les avis du CMRS ou du centre d’alerte compétent.",
  },
  notices: {
    offline: "Hors ligne. Les données affichées ont été lues auparavant.",
    offlineSaved: (time) => `Hors ligne. Données enregistrées\u00a0: ${time}.`,
    unreachable: (time) => `Le serveur est injoignable. Données enregistrées\u00a0: ${time}.`,
    late: (seconds) =>
      `Le serveur ne répond pas depuis ${seconds} s. Les données affichées ont été lues auparavant.`,
    cancel: "Annuler",
    synthetic:
      "Données de démonstration synthétiques. Ce n’est pas une prévision. Ne pas utiliser pour la navigation.",
    syntheticPrinted: "Données de démonstration synthétiques. Ce n’est pas une prévision.",
    realForecasts: "Vraies prévisions\u00a0:",
    old: ({ hours, model, base }) => `La prévision date d’il y a ${hours} h (${model}, ${base}).`,
  },
  hint: {
    text: "Cliquez sur la mer pour lire les conditions. Appuyez sur ? sur la carte pour voir ses touches.",
    close: "Masquer le conseil",
  },
  panel: {
    point: "Point",
    print: "Imprimer",
  },
  print: {
    map: "La carte",
    mapOf: ({ title, time }) => (time ? `Carte\u00a0: ${title}, ${time}` : `Carte\u00a0: ${title}`),
    at: (time) => `Imprimé le ${time}`,
  },
  film: {
    playing: (title) => `${title}\u00a0: seulement quand le film est en pause, à l’heure du film.`,
    none: (title) => `${title}\u00a0: rien dans les archives pour cette heure du film.`,
    old: ({ title, time }) => `${title}\u00a0: encore l’état du ${time}.`,
    fixed: (title) => `${title}\u00a0: ne varie pas dans le temps.`,
    same: (title) => `${title}\u00a0: à la même heure que le film.`,
  },
  layers: {
    label: "Couche",
    of: (name) => `Couche\u00a0: ${name}`,
    more: "Plus",
    moreLayers: "Autres couches",
    moreShown: (name) => `Autres couches, affichée\u00a0: ${name}`,
    colours: "Couleurs",
    onTop: "Par-dessus",
  },
  overlays: {
    barbs: "Barbules de vent",
    arrows: "Flèches de direction",
    isolines: "Lignes",
    particles: "Particules animées",
    names: "Noms de lieux",
    storms: "Cyclones",
    boxes: "Cadres autour des vents d’un cyclone",
    graticule: "Latitude et longitude",
  },
  language: "Langue",
  menu: "Menu",
  display: "Affichage",
  settings: {
    theme: "Thème",
    themes: { light: "Jour", dusk: "Soir", night: "Nuit" },
    times: "Heures",
    zones: { utc: "UTC", local: "Cet appareil", ship: "Fuseau du navire" },
    map: "Carte",
    projections: { mercator: "Plane (Mercator)", globe: "Globe" },
    data: "Données",
    dataUses: { full: "Détail complet", light: "Allégé" },
    dataCosts: {
      full: "Chaque heure de la carte coûte de 0,2 à 0,7 Mo, et les heures voisines sont lues à l’avance.",
      light:
        "Chaque heure de la carte coûte 0,1 Mo\u00a0: le champ à environ 1°, rien n’est lu à l’avance, pas de particules animées.",
    },
    singleKeys: "Les touches seules agissent sur la carte",
  },
  link: {
    copy: "Copier le lien",
    shows: "Copier un lien qui montre",
    fromAddress: "Copiez-le depuis la barre d’adresse",
    withShip: "Avec mon navire",
    now: "Toujours maintenant",
    ahead: (hours) => `Toujours dans ${hours} h`,
    ago: (hours) => `Toujours il y a ${hours} h`,
  },
  keys: {
    title: "Touches de la carte",
    text: "Elles agissent quand la carte a le focus du clavier\u00a0: appuyez sur Tab jusqu’à ce qu’une croix apparaisse en son centre.",
    key: "Touche",
    effect: "Effet",
    summary:
      "Les flèches déplacent la carte, plus et moins règlent le zoom, Entrée lit les conditions au centre, les crochets avancent ou reculent dans le temps, le point d’interrogation affiche toutes les touches.",
    arrows: "Flèches",
    space: "Espace",
    does: {
      move: "Déplacer la carte",
      zoom: "Zoom avant, arrière",
      sample: "Lire les conditions au centre",
      step: "Un pas en arrière, en avant",
      day: "Un jour en arrière, en avant",
      play: "Lecture, pause",
      pickTime: "Choisir une date et une heure",
      now: "Maintenant",
      layer: "Première, deuxième, troisième couche",
      isobars: "Afficher, masquer les isobares",
      heights: "Afficher, masquer les lignes de hauteur des vagues",
      compare: "Deux images côte à côte, une seule",
      find: "Aller à une position",
      storms: "Cyclones",
      nextStorm: "Cyclone suivant",
      ship: "Mon navire",
      tasks: "Tâches",
      unit: "Unité suivante",
      help: "Cette liste",
    },
  },
  view: {
    list: "Liste des valeurs affichées",
    stillDrawn: ({ title, time }) =>
      time ? `Encore affiché\u00a0: ${title}, ${time}.` : `Encore affiché\u00a0: ${title}.`,
    loading: ({ title, time }) => `Chargement\u00a0: ${title}, ${time}.`,
    titleOf: ({ title, time }) => (time ? `${title} dans la vue, ${time}` : `${title} dans la vue`),
    lattice: (title) => `${title} sur une grille de la carte, le nord en haut`,
    centre: (position) => `Centre ${position}.`,
    notThere: (title) => `${title}\u00a0: indisponible à cet endroit.`,
    value: ({ title, value, direction }) => {
      if (!direction) return `${title}\u00a0: ${value}.`;
      const { sense, point } = direction;
      return `${title}\u00a0: ${value}, ${sense === "from" ? from(point) : `portant ${towards(point)}`}.`;
    },
    noValues: "Aucune valeur dans la vue.",
    range: ({ low, high, position, isDepth }) =>
      `Dans la vue, de ${low} à ${high}, ${isDepth ? "le plus profond" : "maximum"} près de ${position}.`,
    task: ({ title, count, size }) =>
      `Obtenir les valeurs de cette vue par une tâche\u00a0: ${title}, environ ${formatNumber(count, 0, "fr")} valeurs, ${size}`,
  },
};
