import type { VerdictWords } from "../en/verdict.ts";

type Area = Parameters<VerdictWords["area"]["enters"]>[0];
type Centre = Parameters<VerdictWords["approach"]["closest"]>[0];
type Reach = Parameters<VerdictWords["approach"]["inside"]>[0];

const area = ({ method, estimated }: Pick<Area, "method" | "estimated">) => {
  const name = method === "classic" ? "zona 1-2-3" : "zona de peligro del cono de esta temporada";
  return estimated ? `${name} (vientos estimados)` : name;
};

const gales = (kt: number) => (kt === 34 ? "Viento duro (34 kn)" : `Viento de ${kt} kn`);

const on = (when: string | undefined) => (when === undefined ? "ahora" : `el ${when}`);

const semicircles = { dangerous: "peligroso", navigable: "manejable" };

const centre = ({ distance, bearing, semicircle }: Omit<Centre, "when">) => {
  const where = `${distance}, demora ${bearing}`;
  return semicircle === null ? where : `${where}; usted está en el semicírculo ${semicircles[semicircle]}`;
};

const lessError = ({ kt, estimated }: Pick<Reach, "kt" | "estimated">) =>
  `descontados el viento de ${kt} kn${estimated ? " (alcance estimado)" : ""} y el error de la trayectoria`;

export const verdict: VerdictWords = {
  at: ({ time, age }) => `${time} (${age})`,
  area: {
    none: "Con esta predicción no se puede trazar ninguna zona de peligro para las próximas horas.",
    clear: ({ distance, ...of }) => `Fuera de la ${area(of)}, a ${distance} como mínimo.`,
    enters: ({ at, ...of }) => `Entrada en la ${area(of)}: ${at}.`,
    insideToEnd: ({ end, ...of }) => `DENTRO de la ${area(of)} hasta el fin de su validez: ${end}.`,
    insideOut: ({ out, ...of }) => `DENTRO de la ${area(of)}; salida: ${out}.`,
  },
  gales: {
    now: ({ kt }) => `${gales(kt)} ahora, según la trayectoria prevista.`,
    possibleThenLikely: ({ kt, likely }) => `${gales(kt)} posible desde ahora, probable el ${likely}.`,
    likely: ({ kt, likely }) => `${gales(kt)} probable el ${likely}.`,
    earliest: ({ kt, earliest, likely }) =>
      `${gales(kt)} como muy pronto el ${earliest}, probable el ${likely}.`,
    possibleNow: ({ kt }) => `${gales(kt)} posible ahora, si el ciclón se aparta de su trayectoria prevista.`,
    possibleFrom: ({ kt, from }) =>
      `${gales(kt)} posible a partir del ${from}, si el ciclón se aparta de su trayectoria prevista.`,
    // «No se espera hasta» se leería como que llega entonces.
    notExpected: ({ kt, until }) =>
      `No se prevé ${kt === 34 ? "viento duro (34 kn)" : `viento de ${kt} kn`} en ningún momento de la predicción (termina: ${until}).`,
    notKnown: ({ kt }) => `${gales(kt)}: no se sabe, porque la predicción no indica su alcance.`,
    notKnownLater: ({ kt }) =>
      `${gales(kt)}: no se sabe, porque la predicción indica su alcance ahora, pero no después.`,
    notKnownAfter: ({ kt, told }) =>
      `${gales(kt)}: no se sabe, porque la predicción indica su alcance solo hasta el ${told}.`,
  },
  stillClosing: (until) => `Cuando termina la predicción (${until}), el ciclón aún se está acercando.`,
  old: "La predicción es antigua: faltan las más recientes.",
  without: {
    over: "Ya no se sigue este ciclón: no hay predicción de él.",
    ended: (when) =>
      `La predicción de este ciclón terminó el ${when}: desde entonces no se sabe nada de él, lo que no significa que se mantenga lejos.`,
    beyond: "La predicción de este ciclón termina antes de la hora de la posición de su barco.",
    invest: "Zona de interés sin predicción: no se sabe adónde va.",
    silent: "No hay predicción con que calcularlo: eso no significa que el ciclón se mantenga lejos.",
  },
  staleShip: (age) => `La posición de su barco se introdujo ${age}: introduzca una nueva.`,
  line: {
    stillClosing: ({ until, distance }) =>
      `Aún acercándose cuando termina la predicción (${until}): ${distance}`,
    closest: ({ when, distance }) => `Máxima aproximación ${on(when)}: ${distance}`,
  },
  range: {
    fromPoint: ({ distance, bearing }) => `A ${distance} de su punto, demora ${bearing}`,
    fromShip: ({ distance, bearing }) => `Ahora a ${distance} de su barco, demora ${bearing}`,
    fromPlanned: ({ distance, bearing, when }) =>
      `Ahora a ${distance} de donde estará su barco (${when}), demora ${bearing}`,
    plannedSaid: ({ distance, bearing, when }) =>
      `Ahora a ${distance} de donde estará su barco (${when}), demora ${bearing}.`,
    said: ({ distance, bearing }) => `Ahora a ${distance}, demora ${bearing}.`,
  },
  approach: {
    title: "Máxima aproximación",
    toShip: "Máxima aproximación a su barco",
    toPoint: "Máxima aproximación a su punto",
    looking: "Buscando la máxima aproximación a su barco…",
    how: "Pulse en el mapa donde está usted o sitúe su barco: desde ahí se calcula la máxima aproximación.",
    course: "Su rumbo, °",
    speed: "Su velocidad, kn",
    wrong: "Un rumbo va de 0 a 360 y una velocidad, de 0 a 60 nudos.",
    closing: ({ until, ...of }) =>
      `Cuando termina la predicción (${until}), el centro del ciclón aún se está acercando: ${centre(of)}.`,
    closest: ({ when, ...of }) => `Máxima aproximación del centro del ciclón ${on(when)}: ${centre(of)}.`,
    clearance: ({ when, distance, ...of }) => `Margen mínimo ${distance} ${on(when)}, ${lessError(of)}.`,
    shrinking: ({ until, distance, ...of }) =>
      `Margen mínimo ${distance} cuando termina la predicción (${until}), y aún disminuye, ${lessError(of)}.`,
    inside: ({ when, distance, ...of }) =>
      `Puede que usted esté ${distance} hacia dentro, ${on(when)}, ${lessError(of)}.`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }) => {
      const hours = [
        outlook === "expected" ? "previsto" : "posible",
        earliest && `como muy pronto el ${earliest}`,
        likely && `probable el ${likely}`,
        latest && `como muy tarde el ${latest}`,
        over && `terminado como muy tarde el ${over}`,
      ];
      return `Viento de ${kt} kn: ${hours.filter(Boolean).join(", ")}`;
    },
    notExpected: ({ kt, until }) =>
      `Viento de ${kt} kn: no previsto en ningún momento de la predicción (termina: ${until})`,
    notForecast: ({ kt }) => `Viento de ${kt} kn: la predicción no indica su alcance`,
    lookedAt: ({ until, clock }) =>
      `Calculado hasta el ${until}, cuando termina la predicción. Horas en ${clock}, redondeadas a la hora.`,
    locatedFromShip: ({ when, distance }) => `Última localización el ${when}, a ${distance} de su barco.`,
    locatedFromPoint: ({ when, distance }) => `Última localización el ${when}, a ${distance} de su punto.`,
    fromForecast: (span) => `Calculado con una predicción de hace ${span}.`,
    fromOldForecast: (span) =>
      `Calculado con una predicción de hace ${span}. Faltan predicciones más recientes: el ciclón puede acercarse más de lo indicado.`,
  },
  peek: {
    inBulletin: (when) => `En el boletín del ${when}`,
    none: "No hay ciclones que mostrar.",
    tap: "Toque un ciclón o suba este panel para ver la lista.",
  },
};
