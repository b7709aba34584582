import type { LegendWords } from "../en/legend.ts";

export const legend: LegendWords = {
  title: "Legende",
  inUnit: (unit) => `, ${unit}`,
  unitOf: (title) => `Einheit: ${title}`,
  colours: ({ from, to, unit, limits }) => [`Farben von ${from} bis ${to} ${unit}.`, ...limits].join(" "),
  limit: ({ from, name }) => `Ab ${from}: ${name}.`,
  symbols: "Was die Symbole bedeuten",
  barb: "Wind: Der Schaft zeigt dorthin, woher er kommt. Halbe Fieder 5 kn, Fieder 10, Dreieck 50; immer Knoten.",
  southernBarb:
    "Südlich des Äquators sind die Fiedern auf der anderen Seite, immer auf der des tieferen Luftdrucks.",
  calm: "Windstille: unter 2,5 kn.",
  current: "Strömung, offene Spitze: wohin sie setzt. Doppelt so lang ist viermal so schnell.",
  slack: "Stauwasser: unter 0,1 kn.",
  wave: "Wellen, gefüllte Spitze: Sie laufen in diese Richtung; das Ende zeigt, woher sie kommen. Doppelt so lang ist viermal so hoch.",
  particles: "Bewegte Teilchen zeigen, wohin es strömt, viel schneller als in Wirklichkeit.",
  noParticles: "Bewegte Teilchen sind aus: Ihr System wünscht weniger Bewegung.",
  windLines:
    "Linie gleicher Windgeschwindigkeit, in Knoten: 22 starker Wind, 34 stürmischer Wind (fett), 48 schwerer Sturm, 64 Orkan (fett); nachts auch die Grenzen der anderen Beaufort-Stärken.",
  isobar: "Isobare, alle 4 hPa; 1000 hPa ist fett.",
  centres: "Zentren von Hoch (H) und Tief (T) mit ihren hPa.",
  heights: "Gestrichelt: Linie gleicher Wellenhöhe, jeder Meter; jede fünfte ist fett.",
  ship: "Ihr Schiff, in Fahrt nach Koppelnavigation oder vor Anker; blasser vor der Zeit seiner Position.",
  shipWay: "Weg Ihres Schiffs in den nächsten 24 Stunden, mit einem Kreis alle 6 Stunden.",
  storms: {
    hurricane:
      "Hurrikan oder Taifun mit seiner Kategorie, 1 bis 5 (bei der JMA ohne); nördlich des Äquators dreht er gegen den Uhrzeigersinn, südlich im Uhrzeigersinn.",
    tropicalStorm: "Tropischer Sturm.",
    depression: "Tropisches Tief.",
    invest: "Beobachtungsgebiet (Invest): noch kein tropisches Tief.",
    area: "Wo ein Wirbelsturm entstehen kann: geringe, mittlere oder hohe Wahrscheinlichkeit, ein bis drei Punkte.",
    areaOutline:
      "Gebiet, in dem er entstehen kann: gepunktet gering, gestrichelt mittel, durchgezogen hoch; je wahrscheinlicher, desto enger schraffiert.",
    alert: "Entstehungswarnung des JTWC: Darin kann binnen eines Tages ein Wirbelsturm entstehen.",
    remnant: "Was von einem Wirbelsturm übrig ist, oder einer, der nicht mehr tropisch ist.",
    track:
      "Zugbahn eines Wirbelsturms: beobachtet, dann gestrichelt vorhergesagt, mit Kreisen zu den Zeiten der Vorhersage.",
    cone: "Unsicherheitskegel: wohin das Zentrum ziehen kann. Seine Winde reichen darüber hinaus, wie die schattierten Ringe um das Zentrum zeigen.",
    danger:
      "Gefahrengebiet des geöffneten Wirbelsturms: drei Tage lang meiden. Auch außerhalb bleibt ein Risiko.",
    box: "Rahmen um die Winde des geöffneten Wirbelsturms; gestrichelt, wo ihre Reichweite geschätzt ist.",
  },
};
