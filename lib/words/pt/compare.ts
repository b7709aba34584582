import type { CompareWords, RunSpread } from "../en/compare.ts";

export const compare: CompareWords = {
  title: "Lado a lado",
  open: "Comparar lado a lado",
  close: "Encerrar a comparação",
  side: { a: "A", b: "B" },
  where: { a: "A, à esquerda", b: "B, à direita" },
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"}: ${text}`,
  layer: "Camada de B",
  time: "Hora de B",
  fixed: "igual a qualquer hora",
  run: (run: string) => `rodada ${run} UTC`,
  nothing: (title: string) => `${title}: nada é desenhado.`,
  loading: ({ title, time }: { title: string; time: string }) =>
    `Carregando ${title}${time === "" ? "" : `, ${time}`}…`,
  none: ({ title, time }: { title: string; time: string }) =>
    `O arquivo não tem dados para ${time} (${title}): nada é desenhado.`,
  failed: (title: string) => `${title}: o servidor não pôde responder.`,
  divider: "Divisória entre A e B",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A, ${a}, ocupa ${percent} % da largura; à direita B, ${b}`,
  hours: (hours: number) =>
    hours === 0 ? "mesma hora" : hours > 0 ? `${hours} h depois` : `${-hours} h antes`,
  runs: {
    show: "Últimas rodadas",
    reading: "Lendo as últimas rodadas…",
    failed: "Não foi possível ler as últimas rodadas.",
    only: "O arquivo só tem uma rodada para este lugar: não há com o que compará-la.",
    none: "O arquivo não tem nenhuma rodada para estas horas.",
    same: ({ name, count }: { name: string; count: number }) =>
      `${name}: as últimas ${count} rodadas dizem o mesmo.`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name}: as últimas ${count} rodadas diferem em no máximo ${within}.`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name}: as últimas ${count} rodadas diferem em no máximo ${within} até ${until}, depois em até ${most} (${at}).`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name}: as últimas ${count} rodadas diferem desde o início, em até ${most} (${at}).`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `O arquivo tem ${found} de ${asked} rodadas: o serviço guarda só as mais recentes, ou as anteriores nunca foram publicadas.`,
    invented: "Dados de demonstração: as diferenças das rodadas anteriores são inventadas.",
    lines: "Linhas finas: rodadas anteriores.",
    numbers: "As rodadas em números",
    caption: (title: string) => `${title} por rodada, hora base UTC`,
    time: "Hora",
    newest: (run: string) => `${run} (última)`,
    quantity: "Grandeza",
  },
};
