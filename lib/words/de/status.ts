import type { StatusWords } from "../en/status.ts";
import { plural } from "../plural.ts";

const stateNames = {
  current: "aktuell",
  growing: "im Empfang",
  waiting: "wartend",
  late: "verspätet",
  failing: "gestört",
};

export const status: StatusWords = {
  heading: "Quellen",
  reading: "Der Zustand der Quellen wird gelesen …",
  states: {
    current: "Aktuell",
    growing: "Im Empfang",
    waiting: "Wartend",
    late: "Verspätet",
    failing: "Gestört",
  },
  summary: ({ counts, used, budget }) => {
    const feeds = counts.map(({ state, count }) => `${count} ${stateNames[state]}`).join(", ");
    return `${feeds}. Auf der Festplatte: ${used}${budget === undefined ? "" : ` von ${budget}`}.`;
  },
  newestRun: "Neuester Lauf",
  newestText: "Neuester Text",
  steps: "Zeitschritte",
  stepsOf: ({ here, expected }) => `${here} von ${expected}`,
  stepsHere: ({ title }) => `Vorhandene Zeitschritte von ${title}`,
  reachesTo: "Reicht bis",
  nextExpected: "Nächster erwartet",
  lastFetched: "Zuletzt abgerufen",
  from: "Von",
  today: "Heute",
  moment: ({ time, age }) => `${time} UTC, ${age}`,
  errorAt: ({ moment }) => `${moment}:`,
  quarantined: ({ count, command }) => [
    plural("de", count, {
      one: "1 Datei wurde abgelehnt und für den Betreiber aufbewahrt: ",
      other: `${count} Dateien wurden abgelehnt und für den Betreiber aufbewahrt: `,
    }),
    command,
  ],
  clockSlow: ({ minutes }) =>
    `Die Uhr dieses Servers geht nach Angabe mehrerer Server ${minutes} min nach: Bis sie gestellt ist, kann das Alter von Vorhersagen und Stürmen falsch sein.`,
  clockFast: ({ minutes }) =>
    `Die Uhr dieses Servers geht nach Angabe mehrerer Server ${minutes} min vor: Bis sie gestellt ist, kann das Alter von Vorhersagen und Stürmen falsch sein.`,
  noFeeds:
    "Keine Quelle ist eingeschaltet: Die Karte zeigt, was von Hand eingelesen wurde, oder die erfundene Demo-Welt.",
  turnOn: ({ start, plan }) => [
    "Wer diesen Server betreibt, erhält echte Vorhersagen mit einer Einstellung: ",
    start,
    ". ",
    plan,
    " zeigt vorher die Datenmenge pro Tag.",
  ],
};
