import type { LegendWords } from "../en/legend.ts";

export const legend: LegendWords = {
  title: "Legenda",
  inUnit: (unit) => `, ${unit}`,
  unitOf: (title) => `Unidade: ${title.toLowerCase()}`,
  colours: ({ from, to, unit, limits }) => [`Cores de ${from} a ${to} ${unit}.`, ...limits].join(" "),
  limit: ({ from, name }) => `A partir de ${from}: ${name}.`,
  symbols: "O que significam os símbolos",
  barb: "Vento: a haste aponta para o lado de onde ele vem. Meia farpa 5 kn, farpa 10, flâmula 50; sempre em nós.",
  southernBarb: "Ao sul do equador as farpas ficam do outro lado, sempre o da pressão mais baixa.",
  calm: "Calmaria: menos de 2,5 kn.",
  current:
    "Corrente, ponta aberta: para onde vai. O dobro do comprimento significa quatro vezes a velocidade.",
  slack: "Estofa: menos de 0,1 kn.",
  wave: "Ondas, ponta cheia: avançam nesse sentido; a cauda fica do lado de onde vêm. O dobro do comprimento significa quatro vezes a altura.",
  particles: "As partículas em movimento mostram o fluxo, bem mais rápido do que é.",
  noParticles: "Partículas desligadas: seu sistema pede menos movimento.",
  windLines:
    "Linha de mesma velocidade do vento, em nós: 22 forte, 34 ventania (grossa), 48 tempestade, 64 furacão (grossa); à noite também os limites das outras forças Beaufort.",
  isobar: "Isóbara, a cada 4 hPa; a de 1000 hPa é grossa.",
  centres: "Centros de alta (A) e baixa pressão (B), com seus hPa.",
  heights: "Tracejado: linha de mesma altura das ondas, a cada metro; uma em cada cinco é grossa.",
  ship: "Seu navio, navegando por estima ou fundeado; mais claro antes da hora da posição.",
  shipWay: "Caminho do seu navio nas próximas 24 horas, com um círculo a cada 6 horas.",
  storms: {
    hurricane:
      "Furacão ou tufão com sua categoria, de 1 a 5 (a JMA não a informa); gira no sentido anti-horário ao norte do equador e horário ao sul.",
    tropicalStorm: "Tempestade tropical.",
    depression: "Depressão tropical.",
    invest: "Área de interesse (invest): ainda não é depressão.",
    area: "Onde um ciclone pode se formar: probabilidade baixa, média ou alta, de um a três pontos.",
    areaOutline:
      "Área em que pode se formar: pontilhada se baixa, tracejada se média, contínua se alta; hachura mais densa quanto mais provável.",
    alert: "Alerta de formação do JTWC: um ciclone pode se formar nela dentro de um dia.",
    remnant: "Restos de um ciclone, ou um que já não é tropical.",
    track:
      "Trajetória de um ciclone: observada e depois prevista em tracejado, com círculos nos horários da própria previsão.",
    cone: "Cone de incerteza: por onde o centro pode passar. Os ventos vão além dele, como mostram os anéis sombreados em torno do centro.",
    danger: "Zona de perigo do ciclone aberto: fique fora dela por três dias. Ela não elimina todo o risco.",
    box: "Caixa em torno dos ventos do ciclone aberto; tracejada onde o alcance é estimado.",
  },
};
