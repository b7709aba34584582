import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {
  sentences: (sentences) => sentences.join(" "),
  close: "Fermer",
  copied: "Copié",
  cannotCopy: "Ce navigateur ne peut pas copier ici",
  copyDetails: "Copier les détails",
  tryAgain: "Réessayer",
  nextTry: (seconds) => `Nouvel essai dans ${seconds} s.`,
  details: "Détails",
  lower: "Abaisser le volet",
  raise: "Relever le volet",
  fold: "Replier le volet",
  unfold: "Ouvrir le volet",
};
