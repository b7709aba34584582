import type { ShipWords } from "../en/ship.ts";

export const ship: ShipWords = {
  title: "Meu navio",
  invitation:
    "Marque o seu navio: o mapa o desloca conforme o rumo e a velocidade, e os ciclones são listados pela proximidade com que passam dele. Ele fica só neste dispositivo.",
  raise: "Levante este painel para marcar o seu navio.",
  atAnchor: "Fundeado.",
  underWay: ({ course, speed }) => `Rumo ${course} a ${speed} kn, por navegação estimada em uma loxodromia.`,
  positionOf: ({ when, clock, age }) => `Posição de ${when} ${clock}, ${age}.`,
  planned:
    "Esta posição é de uma hora futura: até lá o navio é desenhado nela, e as distâncias aos ciclones são calculadas a partir dessa hora.",
  oldAtAnchor: (age) => `Esta posição foi informada ${age}: o navio ainda está lá?`,
  oldUnderWay: (age) =>
    `Esta posição foi informada ${age}: o navio pode estar longe de onde a estima o coloca. Informe uma nova.`,
  mapBefore: (when) =>
    `O mapa mostra ${when}, antes desta posição: o navio é desenhado na posição informada.`,
  mapAt: ({ when, position }) => `Na hora do mapa, ${when}, ele está em ${position}.`,
  centre: "Centralizar o mapa nele",
  conditions: "Condições no local",
  edit: "Editar",
  forget: "Esquecer",
  bringBack: "Recuperar o navio esquecido",
  pinAtPoint: "Marcar no ponto escolhido",
  putHere: "Colocar meu navio aqui",
  said: {
    forgotten: "O seu navio foi esquecido.",
    atAnchor: (position) => `O seu navio está fundeado em ${position}.`,
    underWay: ({ position, course, speed }) =>
      `O seu navio está em ${position}, rumo ${course} a ${speed} nós.`,
  },
  device: {
    ask: "Marcar na minha posição",
    asking: "Consultando o dispositivo…",
    accurateToMiles: (miles) => `A posição deste dispositivo tem precisão de apenas ${miles} M: verifique-a.`,
    accurateToMetres: (metres) => `Posição deste dispositivo, com precisão de ${metres} m.`,
    failures: {
      refused:
        "Este navegador não tem permissão para informar a posição do dispositivo. Permita isso nas configurações dele para esta página ou digite a posição.",
      unknown:
        "Este dispositivo não sabe a própria posição no momento. Tente de novo ao ar livre ou digite-a.",
      late: "Este dispositivo não encontrou a própria posição em 30 segundos. Tente de novo ao ar livre ou digite-a.",
      insecure:
        "Os navegadores só informam a posição do dispositivo a endereços seguros (https). Digite a posição.",
    },
  },
  form: {
    position: "Posição",
    course: "Rumo verdadeiro, °",
    speed: "Velocidade, kn",
    noSpeed: "fundeado",
    time: (clock) => `Hora da posição, ${clock}`,
    timeOrNow: (clock) => `Hora da posição, ${clock} (vazia: agora)`,
    save: "Salvar",
    pin: "Marcar meu navio",
    takeNow: "Usar onde ele está agora",
    cancel: "Cancelar",
    errors: {
      unclear: "Isto pode significar vários lugares. Escreva como 48 30N 005 10W.",
      position: "Isto não é uma posição. Escreva como 48 30N 005 10W ou 48.5, −5.17.",
      course: "Um rumo vai de 0 a 360 graus.",
      speed: (most) => `Uma velocidade vai de 0 a ${most} nós.`,
      noTime: "Informe também a hora: o serviço não comunicou que horas são.",
      time: "Isto não é uma data com hora.",
    },
  },
  choice: {
    title: "Este link traz outro navio",
    yours: "O seu navio",
    linked: "O navio do link",
    line: ({ position, when, way }) => `${position}, ${when}. ${way}`,
    explanation:
      "As distâncias aos ciclones são calculadas a partir do seu navio. Com o navio do link, são calculadas a partir dele, e o seu é esquecido neste dispositivo.",
    keep: "Manter meu navio",
    take: "Usar o navio do link",
  },
};
