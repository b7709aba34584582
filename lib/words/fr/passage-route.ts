import type { PassageRouteWords } from "../en/passage-route.ts";
import { plural } from "../plural.ts";

const waypoints = (count: number) =>
  plural("fr", count, { one: `${count} waypoint`, other: `${count} waypoints` });

export const passageRoute: PassageRouteWords = {
  title: "Traversée",
  route: "Route",
  raise: "Ouvrez le panneau pour préparer une traversée.",
  empty: "Tracez une route sur la carte, saisissez des positions ou des lieux, ou importez un fichier.",
  summary: ({ count, length }) => `${waypoints(count)}, ${length}`,
  name: "Nom du plan",
  draw: "Tracer sur la carte",
  undo: "Annuler",
  redo: "Rétablir",
  reverse: "Inverser",
  reversed: "La route va maintenant dans l’autre sens.",
  add: "Ajouter une position ou un lieu",
  addPlaceholder: "48 23N 004 30W ou un port",
  addSubmit: "Ajouter à la route",
  added: ({ number, place }) => `Waypoint ${number} ajouté : ${place}.`,
  full: (most) => `Une route a au plus ${most} waypoints.`,
  notKept: "Ce navigateur ne conserve pas le plan. Enregistrez-le dans un fichier avant de quitter la page.",
  damagedLink:
    "Le plan de ce lien est illisible : il a été coupé ou modifié. Votre propre plan est inchangé.",
  keptAs: (name) => `Voici le plan du lien. Votre plan précédent est enregistré sous « ${name} ».`,
  allLegs: "Toutes les branches",
  legs: { great_circle: "Orthodromie", rhumb: "Loxodromie" },
  table: {
    title: "Waypoints",
    waypoint: "Waypoint",
    course: "Cap",
    distance: "Distance",
    rhumb: "loxodromie",
    help: "Les flèches passent d’un waypoint à l’autre, Entrée en ouvre un, Alt et une flèche le déplacent dans l’ordre, Suppr l’enlève.",
  },
  edit: {
    title: (number) => `Waypoint ${number}`,
    position: "Position",
    name: "Nom",
    leg: "Branche jusqu’ici",
    earlier: "Avant",
    later: "Après",
    insert: "Insérer avant",
    show: "Montrer sur la carte",
    remove: "Supprimer",
    unclear: "Plusieurs positions sont possibles. Écrivez par exemple 48 30N 005 10W.",
  },
  drawing: {
    title: "Tracé d’une route",
    byMouse:
      "Cliquez pour ajouter un waypoint, faites-en glisser un pour le déplacer, cliquez sur une branche pour la diviser. Au clavier, Entrée ajoute à la croix, Retour arrière annule, Échap termine.",
    byTouch:
      "Touchez pour ajouter un waypoint, faites-en glisser un pour le déplacer, touchez une branche pour la diviser.",
    done: "Terminé",
  },
  file: {
    title: "Importer une route",
    choose: "Fichier : GPX, RTZ, KML, GeoJSON, CSV ou .xlsx",
    paste: "Ou collez des positions, ou le texte d’un fichier",
    usePasted: "Utiliser ce texte",
    reading: "Lecture…",
    which: "Ce fichier contient plusieurs listes. Laquelle est la route ?",
    unread: "Ces points sont illisibles et seraient omis :",
    take: ({ title, count }) => `${title} : ${waypoints(count)}`,
    read: ({ count, from, within, refused }) =>
      [
        `Importé : ${waypoints(count)}.`,
        ...(from !== undefined && within !== undefined
          ? [`Le fichier a ${from} points : ceux à moins de ${within} M du tracé ont été omis.`]
          : []),
        ...(refused === undefined
          ? []
          : [
              plural("fr", refused, {
                one: "1 point est illisible et a été omis.",
                other: `${refused} points sont illisibles et ont été omis.`,
              }),
            ]),
      ].join(" "),
    save: "Enregistrer la route, partager le plan",
    copyLink: "Copier le lien vers le plan",
    linkCut:
      "Le lien ne contient ni les noms des waypoints, ni votre table de vitesses ou votre polaire : il serait trop long.",
  },
  saved: {
    title: "Plans sur cet appareil",
    save: "Enregistrer le plan",
    needsName: "Donnez d’abord un nom au plan.",
    start: "Nouveau plan",
    cleared: "Nouveau plan. Annuler ramène le précédent.",
    saved: (name) => `Enregistré : « ${name} ».`,
    replaced: (name) => `« ${name} » est remplacé.`,
    notSaved:
      "Ce navigateur n’a pas enregistré le plan : son stockage est plein ou désactivé. Enregistrez-le dans un fichier.",
    open: (name) => `Ouvrir « ${name} »`,
    opened: (name) => `« ${name} » est ouvert.`,
    remove: (name) => `Supprimer « ${name} »`,
    removed: (name) => `« ${name} » est supprimé.`,
    undo: "Annuler",
    back: "Il est de retour.",
  },
};
