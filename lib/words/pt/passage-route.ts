import type { PassageRouteWords } from "../en/passage-route.ts";
import { plural } from "../plural.ts";

const waypoints = (count: number) =>
  plural("pt", count, { one: `${count} waypoint`, other: `${count} waypoints` });

export const passageRoute: PassageRouteWords = {
  title: "Travessia",
  route: "Rota",
  raise: "Suba o painel para planejar uma travessia.",
  empty: "Trace uma rota no mapa, digite posições ou lugares, ou importe um arquivo.",
  summary: ({ count, length }) => `${waypoints(count)}, ${length}`,
  name: "Nome do plano",
  draw: "Traçar no mapa",
  undo: "Desfazer",
  redo: "Refazer",
  reverse: "Inverter",
  reversed: "A rota segue agora no outro sentido.",
  add: "Adicionar uma posição ou um lugar",
  addPlaceholder: "48 23N 004 30W ou um porto",
  addSubmit: "Adicionar à rota",
  added: ({ number, place }) => `Waypoint ${number} adicionado: ${place}.`,
  full: (most) => `Uma rota tem no máximo ${most} waypoints.`,
  notKept: "Este navegador não guarda o plano. Salve-o em um arquivo antes de sair da página.",
  damagedLink:
    "O plano deste link não pode ser lido: foi cortado ou alterado. O seu próprio plano continua igual.",
  keptAs: (name) => `Este é o plano do link. O seu plano anterior está salvo como “${name}”.`,
  allLegs: "Todas as pernadas",
  legs: { great_circle: "Ortodrômica", rhumb: "Loxodrômica" },
  table: {
    title: "Waypoints",
    waypoint: "Waypoint",
    course: "Rumo",
    distance: "Distância",
    rhumb: "loxodrômica",
    help: "As setas passam de um waypoint a outro, Enter abre um, Alt e uma seta o movem na ordem, Delete o remove.",
  },
  edit: {
    title: (number) => `Waypoint ${number}`,
    position: "Posição",
    name: "Nome",
    leg: "Pernada até aqui",
    earlier: "Antes",
    later: "Depois",
    insert: "Inserir antes",
    show: "Mostrar no mapa",
    remove: "Excluir",
    unclear: "Pode se referir a vários lugares. Escreva como 48 30N 005 10W.",
  },
  drawing: {
    title: "Traçado de uma rota",
    byMouse:
      "Clique para adicionar um waypoint, arraste um para movê-lo, clique em uma pernada para dividi-la. Pelo teclado, Enter adiciona na cruz, Backspace desfaz, Esc termina.",
    byTouch:
      "Toque para adicionar um waypoint, arraste um para movê-lo, toque em uma pernada para dividi-la.",
    done: "Pronto",
  },
  file: {
    title: "Importar uma rota",
    choose: "Arquivo: GPX, RTZ, KML, GeoJSON, CSV ou .xlsx",
    paste: "Ou cole posições, ou o texto de um arquivo",
    usePasted: "Usar este texto",
    reading: "Lendo…",
    which: "Este arquivo tem várias listas. Qual é a rota?",
    unread: "Estes pontos não podem ser lidos e seriam omitidos:",
    take: ({ title, count }) => `${title}: ${waypoints(count)}`,
    read: ({ count, from, within, refused }) =>
      [
        `Importado: ${waypoints(count)}.`,
        ...(from !== undefined && within !== undefined
          ? [`O arquivo tem ${from} pontos: os que ficam a menos de ${within} M da linha foram omitidos.`]
          : []),
        ...(refused === undefined
          ? []
          : [
              plural("pt", refused, {
                one: "1 ponto não pôde ser lido e foi omitido.",
                other: `${refused} pontos não puderam ser lidos e foram omitidos.`,
              }),
            ]),
      ].join(" "),
    save: "Salvar a rota, compartilhar o plano",
    copyLink: "Copiar o link do plano",
    linkCut:
      "O link não tem os nomes dos waypoints nem a sua tabela de velocidades ou polar: ficaria longo demais.",
  },
  saved: {
    title: "Planos neste dispositivo",
    save: "Salvar o plano",
    needsName: "Primeiro dê um nome ao plano.",
    start: "Novo plano",
    cleared: "Novo plano. Desfazer traz o anterior de volta.",
    saved: (name) => `Salvo: “${name}”.`,
    replaced: (name) => `“${name}” foi substituído.`,
    notSaved:
      "Este navegador não salvou o plano: o armazenamento está cheio ou desativado. Salve-o em um arquivo.",
    open: (name) => `Abrir “${name}”`,
    opened: (name) => `“${name}” está aberto.`,
    remove: (name) => `Excluir “${name}”`,
    removed: (name) => `“${name}” foi excluído.`,
    undo: "Desfazer",
    back: "Está de volta.",
  },
};
