import type { PassageBetterWords } from "../en/passage-better.ts";

export const passageBetter: PassageBetterWords = {
  find: "Procurar uma rota melhor",
  stop: "Cancelar a procura",
  about:
    "Procura outra rota entre as mesmas extremidades, em torno da terra e dos ciclones, para a mesma partida.",
  objective: "Melhor significa",
  objectives: { within_limits: "Dentro dos meus limites", fastest: "Mais rápida" },
  order: {
    within_limits:
      "Ordem: chega; fica dentro dos seus limites; o tempo mais curto, ao qual se somam oito vezes as horas fora dos limites, ponderadas pelo excesso: no dobro de um limite, uma hora conta como quatro.",
    fastest:
      "Ordem: chega; mantém a sua distância dos ciclones; o tempo mais curto, ao qual se somam oito vezes as horas mais perto dos ciclones, ponderadas pela proximidade.",
  },
  searching: "Procurando uma rota melhor…",
  cancelled: "A procura foi cancelada.",
  offline: "Não há rede, e a procura precisa do serviço.",
  none: "Nenhuma rota melhor foi encontrada: fique com a sua.",
  found: (text) => `Rota melhor: ${text}.`,
  same: "mais ou menos igual",
  leastBad: "Nenhuma rota fica dentro dos seus limites o tempo todo: esta é a menos ruim.",
  crossesLand: (leg) => `A sua própria rota cruza terra na pernada ${leg}.`,
  stale: "O plano mudou desde a procura: procure de novo.",
  use: "Usar esta rota",
  keep: "Ficar com a minha",
  used: "O plano tem agora a rota melhor; Desfazer traz a sua de volta.",
  kept: "A sua rota fica como está.",
  own: "A sua rota",
  better: "Rota melhor",
  weighted: "Fora dos limites, ponderado",
  caption: "A sua rota e a melhor",
  check:
    "Uma proposta a verificar na carta: rochas e ilhotas que este mapa não mostra, e todas as profundidades, não são vistas.",
  difference: {
    join: ", ",
    arrives: "chega, o que a sua não faz",
    later: (span) => `${span} mais tarde`,
    earlier: (span) => `${span} mais cedo`,
    longer: (distance) => `${distance} a mais`,
    shorter: (distance) => `${distance} a menos`,
    sea: ({ better, own }) => `mar mais alto ${better} em vez de ${own}`,
    wind: ({ better, own }) => `vento mais forte ${better} em vez de ${own}`,
    over: ({ better, own }) => `${better} fora dos limites em vez de ${own}`,
    weighted: ({ better, own }) => `ponderado pelo excesso: ${better} em vez de ${own}`,
    noTime: "nada",
  },
  ashore: {
    start: ({ distance, position }) =>
      `A partida está em terra. A água mais próxima fica a ${distance}, em ${position}.`,
    end: ({ distance, position }) =>
      `A chegada está em terra. A água mais próxima fica a ${distance}, em ${position}.`,
    startInland: "A partida está em terra, longe de qualquer água.",
    endInland: "A chegada está em terra, longe de qualquer água.",
    move: "Mover para lá",
  },
  noWay:
    "Nenhum caminho pela água foi encontrado: a procura não conhece canais, eclusas e estreitos apertados. Planeje separadamente as partes de cada lado.",
  refused: {
    distance: ({ miles, most }) =>
      `As extremidades ficam a ${miles}; procuram-se rotas de no máximo ${most}. Procure as partes uma a uma.`,
    hours: ({ span, most }) =>
      `Isto leva cerca de ${span}; procuram-se no máximo ${most}. Procure uma parte.`,
    forecast: ({ span, known }) =>
      `Isto leva cerca de ${span}, e a previsão termina ${known} depois da partida. Parta mais cedo, ou procure uma parte.`,
    loop: "A rota termina onde começa: não há nada a procurar no meio.",
    vessel: "Falta algo no barco: veja Barco e limites.",
  },
};
