import type { CompareWords, RunSpread } from "../en/compare.ts";

export const compare: CompareWords = {
  title: "Lado a lado",
  open: "Comparar lado a lado",
  close: "Terminar la comparación",
  side: { a: "A", b: "B" },
  where: { a: "A, a la izquierda", b: "B, a la derecha" },
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"}: ${text}`,
  layer: "Capa de B",
  time: "Hora de B",
  fixed: "igual a cualquier hora",
  run: (run: string) => `pasada ${run} UTC`,
  nothing: (title: string) => `${title}: no se dibuja nada.`,
  loading: ({ title, time }: { title: string; time: string }) =>
    `Cargando ${title}${time === "" ? "" : `, ${time}`}…`,
  none: ({ title, time }: { title: string; time: string }) =>
    `El archivo no tiene datos para ${time} (${title}): no se dibuja nada.`,
  failed: (title: string) => `${title}: el servidor no pudo responder.`,
  divider: "Separación entre A y B",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A, ${a}, ocupa el ${percent} % del ancho; a su derecha B, ${b}`,
  hours: (hours: number) =>
    hours === 0 ? "misma hora" : hours > 0 ? `${hours} h después` : `${-hours} h antes`,
  runs: {
    show: "Últimas pasadas",
    reading: "Leyendo las últimas pasadas…",
    failed: "No se pudieron leer las últimas pasadas.",
    only: "El archivo solo tiene una pasada para este lugar: no hay con qué compararla.",
    none: "El archivo no tiene ninguna pasada para estas horas.",
    same: ({ name, count }: { name: string; count: number }) =>
      `${name}: las últimas ${count} pasadas dicen lo mismo.`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name}: las últimas ${count} pasadas difieren como máximo en ${within}.`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name}: las últimas ${count} pasadas difieren como máximo en ${within} hasta ${until}, y después hasta en ${most} (${at}).`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name}: las últimas ${count} pasadas difieren desde el principio, hasta en ${most} (${at}).`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `El archivo tiene ${found} de ${asked} pasadas: el servicio conserva solo las más recientes, o las anteriores nunca se publicaron.`,
    invented: "Datos de demostración: las diferencias de las pasadas anteriores son inventadas.",
    lines: "Líneas finas: pasadas anteriores.",
    numbers: "Las pasadas en números",
    caption: (title: string) => `${title} por pasada, hora base UTC`,
    time: "Hora",
    newest: (run: string) => `${run} (última)`,
    quantity: "Magnitud",
  },
};
