import type { ShipWords } from "../en/ship.ts";

export const ship: ShipWords = {
  title: "Mon navire",
  invitation:
    "Placez votre navire : la carte le fait avancer selon son cap et sa vitesse, et les cyclones sont classés selon leur distance minimale d’approche. Il reste sur cet appareil.",
  raise: "Relevez ce volet pour placer votre navire.",
  atAnchor: "Au mouillage.",
  underWay: ({ course, speed }) => `Cap ${course} à ${speed} nd, à l’estime le long d’une loxodromie.`,
  positionOf: ({ when, clock, age }) => `Position du ${when} ${clock}, ${age}.`,
  planned:
    "Cette position est à une heure future : d’ici là, le navire y est dessiné, et les distances aux cyclones sont calculées à partir de cette heure.",
  oldAtAnchor: (age) => `Cette position a été saisie ${age} : le navire y est-il encore ?`,
  oldUnderWay: (age) =>
    `Cette position a été saisie ${age} : le navire peut être loin de sa position estimée. Saisissez-en une nouvelle.`,
  mapBefore: (when) =>
    `La carte montre le ${when}, avant cette position : le navire est dessiné à la position saisie.`,
  mapAt: ({ when, position }) => `À l’heure de la carte, ${when}, il est à ${position}.`,
  centre: "Centrer la carte dessus",
  conditions: "Conditions à cet endroit",
  edit: "Modifier",
  forget: "Oublier",
  bringBack: "Rétablir le navire oublié",
  pinAtPoint: "Placer au point choisi",
  putHere: "Placer mon navire ici",
  said: {
    forgotten: "Votre navire a été oublié.",
    atAnchor: (position) => `Votre navire est au mouillage à ${position}.`,
    underWay: ({ position, course, speed }) =>
      `Votre navire est à ${position}, cap ${course} à ${speed} nœuds.`,
  },
  device: {
    ask: "Placer à ma position",
    asking: "Interrogation de l’appareil…",
    accurateToMiles: (miles) => `La position de cet appareil n’est précise qu’à ${miles} M : vérifiez-la.`,
    accurateToMetres: (metres) => `Position de cet appareil, précise à ${metres} m.`,
    failures: {
      refused:
        "Ce navigateur n’a pas le droit de donner la position de l’appareil. Autorisez-le dans ses réglages pour cette page, ou saisissez la position.",
      unknown:
        "Cet appareil ne connaît pas sa position pour le moment. Réessayez à ciel ouvert, ou saisissez-la.",
      late: "Cet appareil n’a pas trouvé sa position en 30 secondes. Réessayez à ciel ouvert, ou saisissez-la.",
      insecure:
        "Les navigateurs ne donnent la position de l’appareil qu’aux adresses sécurisées (https). Saisissez plutôt la position.",
    },
  },
  form: {
    position: "Position",
    course: "Cap vrai, °",
    speed: "Vitesse, nd",
    noSpeed: "au mouillage",
    time: (clock) => `Heure de la position, ${clock}`,
    timeOrNow: (clock) => `Heure de la position, ${clock} (vide : maintenant)`,
    save: "Enregistrer",
    pin: "Placer mon navire",
    takeNow: "Prendre sa position actuelle",
    cancel: "Annuler",
    errors: {
      unclear: "Cela peut désigner plusieurs endroits. Écrivez par exemple 48 30N 005 10W.",
      position: "Ce n’est pas une position. Écrivez par exemple 48 30N 005 10W ou 48.5, −5.17.",
      course: "Un cap va de 0 à 360 degrés.",
      speed: (most) => `Une vitesse va de 0 à ${most} nœuds.`,
      noTime: "Saisissez aussi l’heure : le service n’a pas indiqué l’heure qu’il est.",
      time: "Ce n’est pas une date avec une heure.",
    },
  },
  choice: {
    title: "Ce lien apporte un autre navire",
    yours: "Votre navire",
    linked: "Le navire du lien",
    line: ({ position, when, way }) => `${position}, ${when}. ${way}`,
    explanation:
      "Les distances aux cyclones sont calculées depuis votre navire. Avec le navire du lien, elles le sont depuis celui-ci, et le vôtre est oublié sur cet appareil.",
    keep: "Garder mon navire",
    take: "Prendre le navire du lien",
  },
};
