import type { CompareWords, RunSpread } from "../en/compare.ts";

export const compare: CompareWords = {
  title: "Nebeneinander",
  open: "Nebeneinander vergleichen",
  close: "Vergleich beenden",
  side: { a: "A", b: "B" },
  where: { a: "A, links", b: "B, rechts" },
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"}: ${text}`,
  layer: "Ebene von B",
  time: "Zeit von B",
  fixed: "zu jeder Zeit gleich",
  run: (run: string) => `Lauf ${run} UTC`,
  nothing: (title: string) => `${title}: nichts gezeichnet.`,
  loading: ({ title, time }: { title: string; time: string }) =>
    `${title}${time === "" ? "" : `, ${time},`} wird geladen…`,
  none: ({ title, time }: { title: string; time: string }) =>
    `Das Archiv hat keine Daten für ${time} (${title}): Es ist nichts gezeichnet.`,
  failed: (title: string) => `${title}: Der Server konnte nicht antworten.`,
  divider: "Trennlinie zwischen A und B",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A, ${a}, hat ${percent} % der Breite; rechts davon B, ${b}`,
  hours: (hours: number) =>
    hours === 0 ? "gleiche Zeit" : hours > 0 ? `${hours} h später` : `${-hours} h früher`,
  runs: {
    show: "Letzte Läufe",
    reading: "Die letzten Läufe werden gelesen…",
    failed: "Die letzten Läufe konnten nicht gelesen werden.",
    only: "Das Archiv hat für diesen Ort nur einen Lauf: Es gibt nichts, womit er zu vergleichen wäre.",
    none: "Das Archiv hat keinen Lauf für diese Zeiten.",
    same: ({ name, count }: { name: string; count: number }) =>
      `${name}: Die letzten ${count} Läufe sagen dasselbe.`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name}: Die letzten ${count} Läufe weichen höchstens ${within} voneinander ab.`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name}: Die letzten ${count} Läufe weichen bis ${until} höchstens ${within} voneinander ab, danach um bis zu ${most} (${at}).`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name}: Die letzten ${count} Läufe weichen von Anfang an voneinander ab, um bis zu ${most} (${at}).`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `${found} von ${asked} Läufen sind im Archiv: Der Dienst hebt nur die neuesten auf, oder frühere wurden nie veröffentlicht.`,
    invented: "Demodaten: Die Abweichungen der früheren Läufe sind erfunden.",
    lines: "Dünne Linien: frühere Läufe.",
    numbers: "Die Läufe in Zahlen",
    caption: (title: string) => `${title} nach Lauf, Basiszeit UTC`,
    time: "Zeit",
    newest: (run: string) => `${run} (neuester)`,
    quantity: "Größe",
  },
};
