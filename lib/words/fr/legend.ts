import type { LegendWords } from "../en/legend.ts";

export const legend: LegendWords = {
  title: "Légende",
  inUnit: (unit) => `, ${unit}`,
  unitOf: (title) => `Unité\u00a0: ${title.toLowerCase()}`,
  colours: ({ from, to, unit, limits }) => [`Couleurs de ${from} à ${to} ${unit}.`, ...limits].join(" "),
  limit: ({ from, name }) => `À partir de ${from}\u00a0: ${name}.`,
  symbols: "Signification des symboles",
  barb: "Vent\u00a0: la hampe pointe vers l’origine du vent. Demi-barbule 5 nd, barbule 10, fanion 50\u202f; toujours en nœuds.",
  southernBarb:
    "Au sud de l’équateur, les barbules sont de l’autre côté, toujours celui des basses pressions.",
  calm: "Calme\u00a0: moins de 2,5 nd.",
  current:
    "Courant, pointe ouverte\u00a0: là où il porte. Deux fois plus long veut dire quatre fois plus rapide.",
  slack: "Étale\u00a0: moins de 0,1 nd.",
  wave: "Vagues, pointe pleine\u00a0: elles avancent dans ce sens\u202f; la queue est du côté d’où elles viennent. Deux fois plus long veut dire quatre fois plus haut.",
  particles: "Les particules animées montrent l’écoulement, bien plus vite que la réalité.",
  noParticles: "Particules désactivées\u00a0: votre système demande moins d’animations.",
  windLines:
    "Ligne d’égale vitesse du vent, en nœuds\u00a0: 22 vent frais, 34 coup de vent (gras), 48 tempête, 64 ouragan (gras)\u202f; de nuit aussi les limites des autres forces Beaufort.",
  isobar: "Isobare, tous les 4 hPa\u202f; 1000 hPa en gras.",
  centres: "Centres de haute (A) et de basse pression (D), avec leur pression en hPa.",
  heights: "Tirets\u00a0: ligne d’égale hauteur des vagues, tous les mètres\u202f; une sur cinq en gras.",
  ship: "Votre navire, en route à l’estime ou au mouillage\u202f; plus pâle avant l’heure de sa position.",
  shipWay: "Route de votre navire pour les 24 heures à venir, avec un cercle toutes les 6 heures.",
  storms: {
    hurricane:
      "Ouragan ou typhon avec sa catégorie, de 1 à 5 (la JMA n’en a pas)\u202f; il tourne dans le sens antihoraire au nord de l’équateur, horaire au sud.",
    tropicalStorm: "Tempête tropicale.",
    depression: "Dépression tropicale.",
    invest: "Zone suspecte (invest)\u00a0: pas encore de dépression.",
    area: "Où un cyclone peut se former\u00a0: probabilité faible, moyenne ou forte, d’un à trois points.",
    areaOutline:
      "Zone où il peut se former\u00a0: pointillé si faible, tirets si moyenne, trait plein si forte\u202f; hachures plus serrées si plus probable.",
    alert: "Alerte de formation du JTWC\u00a0: un cyclone peut s’y former dans les 24 heures.",
    remnant: "Reste d’un cyclone, ou cyclone qui n’est plus tropical.",
    track:
      "Trajectoire d’un cyclone\u00a0: observée, puis prévue en tirets, avec des cercles aux échéances de la prévision.",
    cone: "Cône d’incertitude\u00a0: où le centre peut passer. Ses vents s’étendent au-delà, comme le montrent les anneaux ombrés autour du centre.",
    danger:
      "Zone de danger du cyclone ouvert\u00a0: restez en dehors pendant trois jours. Elle n’élimine pas tout risque.",
    box: "Cadre autour des vents du cyclone ouvert\u202f; en tirets si leur étendue est estimée.",
  },
};
