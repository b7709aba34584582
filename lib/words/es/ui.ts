import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {
  sentences: (sentences) => sentences.join(" "),
  close: "Cerrar",
  copied: "Copiado",
  cannotCopy: "Este navegador no puede copiar aquí",
  copyDetails: "Copiar los detalles",
  tryAgain: "Reintentar",
  nextTry: (seconds) => `Próximo intento en ${seconds} s.`,
  details: "Detalles",
  lower: "Bajar el panel",
  raise: "Subir el panel",
  fold: "Plegar el panel",
  unfold: "Abrir el panel",
};
