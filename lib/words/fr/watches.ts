import type { WatchesWords } from "../en/watches.ts";
import { plural } from "../plural.ts";

const hours = (count: number) => plural("fr", count, { one: `${count} heure`, other: `${count} heures` });

export const watches: WatchesWords = {
  quantities: {
    wind_kt: "Vent",
    gust_kt: "Rafales",
    sea_m: "Hauteur significative des vagues",
    swell_m: "Houle",
    current_kt: "Courant",
    rain_mm_h: "Pluie",
    pressure_hpa: "Pression",
    cape_j_kg: "CAPE (orages)",
    storm_nm: "Distance de la zone de danger d’un cyclone",
  },
  over: (limit) => `plus de ${limit}`,
  under: (limit) => `moins de ${limit}`,

  message: {
    over: ({ quantity, limit, from, value, peak }) =>
      `${quantity}\u00a0: plus de ${limit} à partir de ${from}, au plus ${value} (${peak}).`,
    under: ({ quantity, limit, from, value, peak }) =>
      `${quantity}\u00a0: moins de ${limit} à partir de ${from}, au moins ${value} (${peak}).`,
    storm: ({ storm, value, limit, from }) =>
      `Zone de danger de ${storm}\u00a0: à ${value}, ${from}\u202f; la limite est de ${limit}.`,
    inStorm: ({ storm, from }) => `Dans la zone de danger de ${storm} à partir de ${from}.`,
    window: ({ count, from, to, quantity, value }) =>
      `${hours(count)} d’affilée, de ${from} à ${to}. ${quantity}\u00a0: ${value} au plus près de la limite.`,
    noWindow: ({ count }) => `Pas de période de ${hours(count)} d’affilée comme demandé.`,
    within: ({ quantity, value, peak, limit }) =>
      `${quantity}\u00a0: ${value} (${peak})\u202f; la limite est de ${limit}.`,
    noStorm: "Aucune zone de danger de cyclone n’est en deçà de la limite.",
    cleared: ({ sentence }) => `Ce n’est plus le cas. ${sentence}`,
    unknown: "Il n’y a pas de prévision pour répondre.",
    newRun: ({ run }) => `Un nouveau run est publié\u00a0: ${run}.`,
    run: ({ run }) => `Prévision\u00a0: ${run}.`,
    lead: (span) => `Dans ${span}.`,
    test: "Ceci est un essai.",
    synthetic: "Les nombres viennent du monde de démonstration\u00a0: ils sont inventés.",
    notForNavigation: "Ne pas utiliser pour la navigation.",
  },
  titles: { cleared: "ce n’est plus le cas", test: "essai", newRun: "nouveau run", window: "fenêtre météo" },

  page: {
    heading: "Veilles et alertes",
    inbox: "Alertes",
    list: "Veilles",
    add: "Nouvelle veille",
    noAlerts: "Aucune alerte. Ce qu’une veille trouve apparaît ici.",
    noWatches:
      "Aucune veille. Une veille pose la même question à chaque nouvelle prévision et signale quand la réponse change.",
    reading: "Lecture…",
    unread: (count) => plural("fr", count, { one: `${count} non lue`, other: `${count} non lues` }),
    markAll: "Tout marquer comme lu",
    markRead: "Marquer comme lue",
    openMap: "Ouvrir sur la carte",
    older: "Alertes plus anciennes",
    kinds: {
      fired: "Alerte",
      cleared: "Fin d’alerte",
      new_run: "Nouveau run",
      test: "Essai",
      channel: "Envoi",
    },
    states: {
      waiting: "Pas encore évaluée",
      quiet: "Ce n’est pas le cas",
      firing: "C’est le cas",
      unknown: "Pas de prévision",
      failed: "Échec, nouvel essai à venir",
      paused: "En pause",
      expired: "Expirée",
    },
    test: "Envoyer un essai",
    tested: "Un essai est en route\u00a0: il apparaît ici et par chaque moyen de cette veille.",
    pause: "Mettre en pause",
    resume: "Reprendre",
    edit: "Modifier",
    delete: "Supprimer",
    deleted: ({ name }) => `«\u00a0${name}\u00a0» est supprimée.`,
    undo: "Annuler",
    ofWatch: ({ name }) => `\u00a0: ${name}`,
    evaluated: (age) => `évaluée ${age}`,
    until: (day) => `jusqu’au ${day}`,
    browser: "Montrer aussi les alertes comme notifications de ce navigateur tant que cette page est ouverte",
    browserDenied: "Ce navigateur n’autorise pas les notifications de cette page.",
    keyNeeded:
      "Les veilles demandent une clé d’accès\u00a0: elles appartiennent à son titulaire, qui seul les lit.",
    enterKey: "Saisir une clé d’accès",
    newAlert: ({ title }) => `Nouvelle alerte\u00a0: ${title}`,
  },

  form: {
    title: "Veiller sur ce lieu",
    changeTitle: "Modifier la veille",
    name: "Nom",
    kind: "Signaler",
    kinds: {
      danger: "Trop de vent ou de mer",
      window: "Une fenêtre météo",
      storm: "Un cyclone",
      run: "Un nouveau run",
    },
    when: "Signaler quand, dans les prochaines heures,",
    any: "une de ces conditions est remplie",
    all: "toutes ces conditions sont remplies à la même heure",
    quantity: "Grandeur",
    comparison: "Plus ou moins",
    limit: ({ unit }) => `Limite, ${unit}`,
    addCondition: "Ajouter une condition",
    removeCondition: "Retirer",
    ahead: "Heures à venir",
    lasting: "Heures d’affilée",
    within: "Plus près que, M",
    save: "Enregistrer la veille",
    saving: "Enregistrement…",
    saved: "Enregistrée. Elle interroge la prévision maintenant, puis chaque nouvelle.",
    toList: "Toutes les veilles",
    cancel: "Annuler",
    margin:
      "Elle signale une fois quand c’est le cas, et une fois quand ce ne l’est plus. Pour ne pas aller et venir, une valeur doit être revenue en deçà de sa limite d’une marge\u00a0: vent 2\u00a0nd, rafales 3\u00a0nd, vagues 0,3\u00a0m, cyclones 20\u00a0M.",
    stormName: ({ position }) => `Cyclones près de ${position}`,
    windowName: ({ position }) => `Fenêtre météo, ${position}`,
    runName: "Nouveaux runs",
    routeName: "Ma traversée",
    routeAbout:
      "La traversée comme elle est prévue, avec son départ et son navire\u202f; pour ce qui en reste.",
    tooManyWaypoints: ({ count, most }) =>
      `Cette route a ${count} points, et une veille en a ${most} au plus : retirez-en.`,
    tooLong: "Cette traversée est trop longue pour être surveillée en entier : surveillez-en une partie.",
    wrongNumber: ({ what, least, most }) => `${what}\u00a0: un nombre de ${least} à ${most}.`,
  },
};
