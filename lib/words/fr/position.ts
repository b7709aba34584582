import type { PositionWords } from "../en/position.ts";
import { plural } from "../plural.ts";

export const position: PositionWords = {
  field: "Position",
  placeholder: "48 30N 005 10W ou un lieu",
  open: "Aller à une position",
  submit: "Aller à la position",
  places: "Lieux",
  found: (count) =>
    plural("fr", count, { one: `${count} lieu sous le champ.`, other: `${count} lieux sous le champ.` }),
  notLoaded:
    "La liste des lieux n’a pas pu être chargée. Vous pouvez tout de même écrire une position, par exemple 48 30N 005 10W.",
  kinds: {
    ocean: "Océan",
    sea: "Mer, baie ou détroit",
    cape: "Cap",
    island: "Île",
    port: "Port",
    town: "Ville côtière",
  },
  inRegion: ({ kind, region }) => `${kind}, ${region}`,
  invalid: {
    empty: "Écrivez une position, par exemple 48 30N 005 10W, ou le nom d’un port, d’un cap ou d’une mer.",
    name: "Aucun lieu de ce nom n’est connu ici. Écrivez un autre nom, ou une position comme 48 30N 005 10W.",
    words:
      "Il y a là un mot ou un signe qu’aucune position ne contient. Écrivez par exemple 48 30N 005 10W, 48°30.5′N 5°10′W ou 48.5, −5.17.",
    half: "Il manque l’autre moitié de la position. Écrivez la latitude et la longitude, par exemple 48 30N 005 10W.",
    twice:
      "La latitude ou la longitude est donnée deux fois. Écrivez chacune une seule fois, par exemple 48 30N 005 10W.",
    numbers:
      "On ne peut pas savoir quels nombres sont la latitude. Mettez une virgule entre les deux moitiés ou une lettre après chacune, par exemple 48 30N, 005 10W.",
    minutes: "Les minutes et les secondes vont jusqu’à 59,999.",
    "latitude-range": "La latitude doit être comprise entre 90° sud et 90° nord.",
    "longitude-range":
      "La longitude doit être comprise entre 180° ouest et 180° est, ou entre 0° et 360° est.",
    "sign-and-letter": "La même moitié a un signe moins et une lettre\u00a0: supprimez l’un des deux.",
    "missing-number": "Une lettre n’a pas de nombre. Écrivez par exemple 48 30N 005 10W.",
  },
  unclear: {
    "letter-o":
      "O désigne l’ouest dans certaines langues et l’est dans d’autres. Choisissez la bonne position\u00a0:",
    "no-letter": "Une moitié a une lettre, l’autre n’en a pas. Choisissez la bonne position\u00a0:",
    comma:
      "Une virgule peut être le signe décimal ou séparer deux nombres. Choisissez la bonne position\u00a0:",
    hyphen: "Le trait d’union peut être un signe moins. Choisissez la bonne position\u00a0:",
    order: "Le premier nombre est trop grand pour une latitude. S’agit-il de ce lieu\u202f?",
  },
};
