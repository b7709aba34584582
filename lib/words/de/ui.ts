import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {
  sentences: (sentences) => sentences.join(" "),
  close: "Schließen",
  copied: "Kopiert",
  cannotCopy: "Dieser Browser kann hier nicht kopieren",
  copyDetails: "Details kopieren",
  tryAgain: "Noch einmal",
  nextTry: (seconds) => `Nächster Versuch in ${seconds} s.`,
  details: "Details",
  lower: "Bereich niedriger",
  raise: "Bereich höher",
  fold: "Bereich einklappen",
  unfold: "Bereich öffnen",
};
