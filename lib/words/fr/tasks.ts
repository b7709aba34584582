import type { TasksWords } from "../en/tasks.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";
import { dates } from "./dates.ts";

const whole = (count: number) => formatNumber(count, 0, "fr");
const points = (count: number) =>
  plural("fr", count, { one: `${whole(count)} point`, other: `${whole(count)} points` });
const values = (count: number) =>
  plural("fr", count, { one: `${whole(count)} valeur`, other: `${whole(count)} valeurs` });

const columns = {
  latitude: (title: string) => `latitude d’après « ${title} »`,
  longitude: (title: string) => `longitude d’après « ${title} »`,
  position: (title: string) => `position d’après « ${title} »`,
  date: (title: string) => `date d’après « ${title} »`,
  instant: (title: string) => `heure d’après « ${title} »`,
  name: (title: string) => `nom d’après « ${title} »`,
};

const times = {
  all: ", chacun avec son heure",
  some: ", tous n’ont pas d’heure",
  none: ", sans heure",
};

export const tasks: TasksWords = {
  points,

  titleDone: ({ count, title }) =>
    plural("fr", count, {
      one: `(${count} terminée) ${title}`,
      other: `(${count} terminées) ${title}`,
    }),

  inbox: {
    heading: "Tâches",
    newTask: "Nouvelle tâche",
    show: "Afficher",
    filters: { all: "Toutes", PENDING: "En cours", SUCCESS: "Terminées", FAILURE: "Échouées" },
    ended: ({ title, state }) => `${title} : ${state}`,
    reading: "Lecture de la liste…",
    none: "Aucune tâche. Les requêtes volumineuses apparaissent ici.",
    noneInState: "Aucune tâche n’est dans cet état.",
    newestOnly: "Les 100 plus récentes sont affichées ; l’API les donne toutes.",
  },

  keyNeeded: {
    why: "Les tâches demandent une clé d’accès. Une tâche appartient au titulaire de la clé avec laquelle elle a été envoyée, qui seul en lit le résultat ; un visiteur sans clé ne possède rien.",
    byMail: "Un lien vers une clé peut être envoyé à votre adresse e-mail. La carte se consulte sans clé.",
    byOperator: "Demandez une clé à l’exploitant de ce service. La carte se consulte sans clé.",
    getKey: "Obtenir ou saisir une clé",
    enterKey: "Saisir une clé d’accès",
  },

  untitled: {
    MetOcean: "Points sans nom",
    "2DMetOcean": "Zone de carte sans nom",
    "passages/evaluate": "Traversées sans nom",
    files: "Fichier sans nom",
    "passages/optimise": "Meilleure route sans nom",
    route: "Route sans nom",
  },

  row: {
    boxValues: (count) => `${values(count)} d’une zone de carte`,
    miles: (count) => `${whole(count)} M d’une meilleure route`,
    passagePlaces: (count) =>
      plural("fr", count, {
        one: `${whole(count)} lieu d’une traversée`,
        other: `${whole(count)} lieux de traversées`,
      }),
    asked: (age) => `demandée ${age}`,
    compressed: (size) => `${size} compressés`,
    noMail: "pas d’e-mail : l’envoi n’est pas configuré pour ce service ou cette clé",
    mailWhenDone: "e-mail à la fin",
    mailAsked: "e-mail demandé",
    expired: "résultat expiré",
    keptUntil: ({ day, month, year, clock }) =>
      `conservé jusqu’au ${dates.monthDay({ day, month })} ${year}, ${clock} UTC`,
    progressOf: ({ title }) => `Progression de ${title}`,
  },

  states: {
    done: "Terminée",
    cancelled: "Annulée",
    failed: "Échouée",
    running: "En cours",
    runningAt: ({ percent }) => `En cours, ${percent} %`,
    next: "En attente, la prochaine",
    waiting: ({ position }) => `En attente, numéro ${position} dans la file`,
  },

  actions: {
    download: "Télécharger",
    downloadOf: ({ title }) => `Télécharger ${title}`,
    openOnMap: "Voir sur la carte",
    repeat: "Refaire",
    cancel: "Annuler",
    delete: "Supprimer",
    copyId: "Copier l’id",
    copyIdOf: ({ title }) => ` de ${title}`,
  },

  undo: {
    deleting: ({ title }) => `« ${title} » est en cours de suppression.`,
    undo: "Annuler",
    undoOf: ({ title }) => ` la suppression de ${title}`,
    failed: ({ title, reason }) => `« ${title} » n’a pas pu être supprimée : ${reason}`,
  },

  notice: {
    failed: ({ reason }) => `Les points de cette tâche ne peuvent pas être affichés : ${reason}`,
    none: "Cette tâche n’a aucun point qui puisse être dessiné.",
    shown: ({ name, count }) => [name, ` : ${points(count)}`],
    close: "Retirer les points de la carte",
  },

  form: {
    kind: "Objet de la tâche",
    kinds: { MetOcean: "Une liste de points", "2DMetOcean": "Une zone de la carte" },
    name: "Nom, pour la retrouver",
    mail: "Envoyer un e-mail à la fin",
    sending: "Envoi…",
    start: "Lancer la tâche",
  },

  durations: {
    few: "quelques secondes",
    seconds: (count) => `environ ${count} s`,
    minutes: (count) => `environ ${count} min`,
    hours: (count) => `environ ${whole(count)} h`,
  },

  box: {
    what: "Grandeur",
    sides: { south: "Sud, °N", north: "Nord, °N", west: "Ouest, °E", east: "Est, °E" },
    from: "De, UTC",
    to: "À, UTC",
    wrongLatitudes: "Les latitudes doivent être comprises entre −90 et 90, celle du sud d’abord.",
    wrongLongitudes:
      "Les longitudes doivent être comprises entre −180 et 180 ; si celle de l’ouest est la plus grande, la zone passe par 180°.",
    wrongTimes: "Les heures s’écrivent comme 2026-09-15T12:00:00Z, la plus ancienne d’abord.",
    tooLong: ({ days }) => `Une requête couvre au plus ${days} jours.`,
    tooMany: ({ count, most }) =>
      `Environ ${values(count)}, c’est plus qu’une tâche n’en peut contenir (${whole(most)}) : choisissez une zone plus petite ou une durée plus courte.`,
    estimate: ({ count, size, duration }) =>
      `Environ ${values(count)}, ${size} en JSON, ${duration} de calcul.`,
  },

  list: {
    file: "Fichier : GPX, ou CSV ou Excel (.xlsx) avec latitude, longitude et éventuellement l’heure",
    paste: "Ou collez-la ici",
    reading: "Lecture de la liste en cours.",
    choose: "Choisissez un fichier GPX, CSV ou Excel, ou collez une liste.",
    tooMany: ({ count, most }) =>
      `${points(count)}, c’est plus qu’une tâche n’en peut contenir (${whole(most)}).`,
    refusedRows:
      "Certains points sont illisibles : corrigez-les et choisissez de nouveau le fichier, ou laissez-les de côté.",
    noQuantity: "Choisissez au moins une grandeur.",
    someUntimed:
      "Tous les points n’ont pas d’heure : indiquez l’heure de départ (2026-09-15T12:00:00Z) et la vitesse.",
    untimed: "La liste n’a pas d’heures : indiquez l’heure de départ (2026-09-15T12:00:00Z) et la vitesse.",
    estimate: ({ count, size, duration }) =>
      `${points(count)}, environ ${size} en JSON, ${duration} de calcul.`,
    departure: "Départ du premier point, UTC",
    speed: "Vitesse, nœuds",
    quantities: "Grandeurs",
    repeated: "La tâche à refaire",
  },

  preview: {
    which: "Le fichier contient plusieurs listes. Laquelle ?",
    read: ({ file, count, timed }) => `${file && `${file} : `}${points(count)}${times[timed]}.`,
    drawnTimes:
      "Les heures du fichier sont celles où ses points ont été tracés, non celles d’une traversée. Elles ne sont pas utilisées.",
    columns: ({ found, isUtc }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join(", ");
      const how =
        read === undefined
          ? "Aucune ligne ne nomme les colonnes : la latitude est lue d’abord, puis la longitude."
          : `Lu : ${read}.`;
      return isUtc ? `${how} Les heures sont prises en UTC.` : how;
    },
    refused: ({ read, refused }) =>
      plural("fr", refused, {
        one: `${whole(refused)} point illisible sur ${whole(read + refused)}.`,
        other: `${whole(refused)} points illisibles sur ${whole(read + refused)}.`,
      }),
    leaveOut: "Laisser ces points de côté",
    dateOrder: "Une date comme 03/04/2026 peut se lire de deux façons. Ici, c’est",
    dateOrders: { "day-month": "jour/mois/année", "month-day": "mois/jour/année" },
    miles: (count) => `${whole(count)} M`,
    planned: ({ speed }) => `prévue à ${speed} nd`,
    leaves: ({ when }) => `départ ${when}`,
  },
};
