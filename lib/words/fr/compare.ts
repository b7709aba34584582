import type { CompareWords, RunSpread } from "../en/compare.ts";

export const compare: CompareWords = {
  title: "Côte à côte",
  open: "Comparer côte à côte",
  close: "Terminer la comparaison",
  side: { a: "A", b: "B" },
  where: { a: "A, à gauche", b: "B, à droite" },
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"} : ${text}`,
  layer: "Couche de B",
  time: "Heure de B",
  fixed: "identique à toute heure",
  run: (run: string) => `run ${run} UTC`,
  nothing: (title: string) => `${title} : rien n’est tracé.`,
  loading: ({ title, time }: { title: string; time: string }) =>
    `Chargement : ${title}${time === "" ? "" : `, ${time}`}…`,
  none: ({ title, time }: { title: string; time: string }) =>
    `Les archives n’ont pas de données pour ${time} (${title}) : rien n’est tracé.`,
  failed: (title: string) => `${title} : le serveur n’a pas pu répondre.`,
  divider: "Séparation entre A et B",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A, ${a}, occupe ${percent} % de la largeur ; à droite B, ${b}`,
  hours: (hours: number) =>
    hours === 0 ? "même heure" : hours > 0 ? `${hours} h plus tard` : `${-hours} h plus tôt`,
  runs: {
    show: "Derniers runs",
    reading: "Lecture des derniers runs…",
    failed: "Les derniers runs n’ont pas pu être lus.",
    only: "Les archives n’ont qu’un seul run pour ce lieu : il n’y a rien à quoi le comparer.",
    none: "Les archives n’ont aucun run pour ces heures.",
    same: ({ name, count }: { name: string; count: number }) =>
      `${name} : les ${count} derniers runs disent la même chose.`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name} : les ${count} derniers runs concordent à ${within} près.`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name} : les ${count} derniers runs concordent à ${within} près jusqu’à ${until}, puis s’écartent de ${most} au plus (${at}).`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name} : les ${count} derniers runs s’écartent dès le début, de ${most} au plus (${at}).`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `${found} runs sur ${asked} sont dans les archives : le service ne garde que les plus récents, ou les précédents n’ont jamais été publiés.`,
    invented: "Données de démonstration : l’écart des runs précédents est inventé.",
    lines: "Lignes fines : runs précédents.",
    numbers: "Les runs en chiffres",
    caption: (title: string) => `${title} par run, heure de base UTC`,
    time: "Heure",
    newest: (run: string) => `${run} (dernier)`,
    quantity: "Grandeur",
  },
};
