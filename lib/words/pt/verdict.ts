import type { VerdictWords } from "../en/verdict.ts";

type Area = Parameters<VerdictWords["area"]["enters"]>[0];
type Centre = Parameters<VerdictWords["approach"]["closest"]>[0];
type Reach = Parameters<VerdictWords["approach"]["inside"]>[0];

const area = ({ method, estimated }: Pick<Area, "method" | "estimated">) => {
  const name = method === "classic" ? "zona 1-2-3" : "zona de perigo do cone desta temporada";
  return estimated ? `${name} (ventos estimados)` : name;
};

const gales = (kt: number) => (kt === 34 ? "Ventania (34 kn)" : `Vento de ${kt} kn`);

const on = (when: string | undefined) => (when === undefined ? "agora" : `em ${when}`);

const semicircles = { dangerous: "perigoso", navigable: "navegável" };

const centre = ({ distance, bearing, semicircle }: Omit<Centre, "when">) => {
  const where = `${distance}, marcação ${bearing}`;
  return semicircle === null ? where : `${where}; você está no semicírculo ${semicircles[semicircle]}`;
};

const lessError = ({ kt, estimated }: Pick<Reach, "kt" | "estimated">) =>
  `descontados o vento de ${kt} kn${estimated ? " (alcance estimado)" : ""} e o erro da trajetória`;

export const verdict: VerdictWords = {
  at: ({ time, age }) => `${time} (${age})`,
  area: {
    none: "Com esta previsão não é possível traçar nenhuma zona de perigo para as próximas horas.",
    clear: ({ distance, ...of }) => `Fora da ${area(of)}, a no mínimo ${distance}.`,
    enters: ({ at, ...of }) => `Entrada na ${area(of)}: ${at}.`,
    insideToEnd: ({ end, ...of }) => `DENTRO da ${area(of)} até o fim da validade dela: ${end}.`,
    insideOut: ({ out, ...of }) => `DENTRO da ${area(of)}; saída: ${out}.`,
  },
  gales: {
    now: ({ kt }) => `${gales(kt)} agora, segundo a trajetória prevista.`,
    possibleThenLikely: ({ kt, likely }) => `${gales(kt)} possível a partir de agora, provável em ${likely}.`,
    likely: ({ kt, likely }) => `${gales(kt)} provável em ${likely}.`,
    earliest: ({ kt, earliest, likely }) =>
      `${gales(kt)} possível já a partir de ${earliest}, provável em ${likely}.`,
    possibleNow: ({ kt }) => `${gales(kt)} possível agora, se o ciclone se afastar da trajetória prevista.`,
    possibleFrom: ({ kt, from }) =>
      `${gales(kt)} possível a partir de ${from}, se o ciclone se afastar da trajetória prevista.`,
    // «Não se espera até» seria lido como: chega nessa hora.
    notExpected: ({ kt, until }) =>
      `Não se prevê ${kt === 34 ? "ventania (34 kn)" : `vento de ${kt} kn`} em nenhum momento da previsão (que termina em ${until}).`,
    notKnown: ({ kt }) => `${gales(kt)}: não se sabe, porque a previsão não informa o alcance.`,
    notKnownLater: ({ kt }) =>
      `${gales(kt)}: não se sabe, porque a previsão informa o alcance agora, mas não depois.`,
    notKnownAfter: ({ kt, told }) =>
      `${gales(kt)}: não se sabe, porque a previsão informa o alcance só até ${told}.`,
  },
  stillClosing: (until) => `Quando a previsão termina (${until}), o ciclone ainda está se aproximando.`,
  old: "A previsão é antiga: faltam as mais recentes.",
  without: {
    over: "Este ciclone não é mais acompanhado: não há previsão dele.",
    ended: (when) =>
      `A previsão dele terminou em ${when}: desde então nada se sabe dele, o que não significa que ele fique longe.`,
    beyond: "A previsão dele termina antes da hora da posição do seu navio.",
    invest: "Área de interesse sem previsão: não se sabe para onde vai.",
    silent: "Não há previsão com que calcular: isso não significa que o ciclone fique longe.",
  },
  staleShip: (age) => `A posição do seu navio foi informada ${age}: informe uma nova.`,
  line: {
    stillClosing: ({ until, distance }) =>
      `Ainda se aproximando quando a previsão termina (${until}): ${distance}`,
    closest: ({ when, distance }) => `Maior aproximação ${on(when)}: ${distance}`,
  },
  range: {
    fromPoint: ({ distance, bearing }) => `A ${distance} do seu ponto, marcação ${bearing}`,
    fromShip: ({ distance, bearing }) => `Agora a ${distance} do seu navio, marcação ${bearing}`,
    fromPlanned: ({ distance, bearing, when }) =>
      `Agora a ${distance} de onde o seu navio estará (${when}), marcação ${bearing}`,
    plannedSaid: ({ distance, bearing, when }) =>
      `Agora a ${distance} de onde o seu navio estará (${when}), marcação ${bearing}.`,
    said: ({ distance, bearing }) => `Agora a ${distance}, marcação ${bearing}.`,
  },
  approach: {
    title: "Maior aproximação",
    toShip: "Maior aproximação do seu navio",
    toPoint: "Maior aproximação do seu ponto",
    looking: "Procurando a maior aproximação do seu navio…",
    how: "Clique no mapa onde você está ou marque o seu navio: a maior aproximação é calculada a partir daí.",
    course: "Seu rumo, °",
    speed: "Sua velocidade, kn",
    wrong: "Um rumo vai de 0 a 360, uma velocidade de 0 a 60 nós.",
    closing: ({ until, ...of }) =>
      `Quando a previsão termina (${until}), o centro ainda está se aproximando: ${centre(of)}.`,
    closest: ({ when, ...of }) => `Maior aproximação do centro ${on(when)}: ${centre(of)}.`,
    clearance: ({ when, distance, ...of }) => `Margem mínima ${distance} ${on(when)}, ${lessError(of)}.`,
    shrinking: ({ until, distance, ...of }) =>
      `Margem mínima ${distance} quando a previsão termina (${until}), e ainda diminuindo, ${lessError(of)}.`,
    inside: ({ when, distance, ...of }) =>
      `Você pode estar ${distance} para dentro ${on(when)}, ${lessError(of)}.`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }) => {
      const hours = [
        outlook === "expected" ? "previsto" : "possível",
        earliest && `já a partir de ${earliest}`,
        likely && `provável em ${likely}`,
        latest && `o mais tardar em ${latest}`,
        over && `terminado o mais tardar em ${over}`,
      ];
      return `Vento de ${kt} kn: ${hours.filter(Boolean).join(", ")}`;
    },
    notExpected: ({ kt, until }) =>
      `Vento de ${kt} kn: não previsto em nenhum momento da previsão (que termina em ${until})`,
    notForecast: ({ kt }) => `Vento de ${kt} kn: a previsão não informa o alcance`,
    lookedAt: ({ until, clock }) =>
      `Calculado até ${until}, quando a previsão termina. Horas em ${clock}, arredondadas à hora.`,
    locatedFromShip: ({ when, distance }) => `Última localização em ${when}, a ${distance} do seu navio.`,
    locatedFromPoint: ({ when, distance }) => `Última localização em ${when}, a ${distance} do seu ponto.`,
    fromForecast: (span) => `Calculado com uma previsão de ${span} atrás.`,
    fromOldForecast: (span) =>
      `Calculado com uma previsão de ${span} atrás. Faltam previsões mais recentes: o ciclone pode chegar mais perto do que o indicado.`,
  },
  peek: {
    inBulletin: (when) => `No boletim de ${when}`,
    none: "Não há ciclones a mostrar.",
    tap: "Toque em um ciclone ou levante este painel para ver a lista.",
  },
};
