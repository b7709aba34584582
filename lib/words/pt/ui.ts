import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {
  sentences: (sentences) => sentences.join(" "),
  close: "Fechar",
  copied: "Copiado",
  cannotCopy: "Este navegador não consegue copiar aqui",
  copyDetails: "Copiar detalhes",
  tryAgain: "Tentar de novo",
  nextTry: (seconds) => `Próxima tentativa em ${seconds} s.`,
  details: "Detalhes",
  lower: "Baixar o painel",
  raise: "Levantar o painel",
  fold: "Recolher o painel",
  unfold: "Abrir o painel",
};
