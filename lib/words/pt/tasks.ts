import type { TasksWords } from "../en/tasks.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";
import { dates } from "./dates.ts";

const whole = (count: number) => formatNumber(count, 0, "pt");
const points = (count: number) =>
  plural("pt", count, { one: `${whole(count)} ponto`, other: `${whole(count)} pontos` });
const values = (count: number) =>
  plural("pt", count, { one: `${whole(count)} valor`, other: `${whole(count)} valores` });

const columns = {
  latitude: (title: string) => `latitude de “${title}”`,
  longitude: (title: string) => `longitude de “${title}”`,
  position: (title: string) => `posição de “${title}”`,
  date: (title: string) => `data de “${title}”`,
  instant: (title: string) => `hora de “${title}”`,
  name: (title: string) => `nome de “${title}”`,
};

const times = {
  all: ", cada um com a sua hora",
  some: ", nem todos com hora",
  none: ", sem horas",
};

export const tasks: TasksWords = {
  points,

  titleDone: ({ count, title }) =>
    plural("pt", count, {
      one: `(${count} concluída) ${title}`,
      other: `(${count} concluídas) ${title}`,
    }),

  inbox: {
    heading: "Tarefas",
    newTask: "Nova tarefa",
    show: "Mostrar",
    filters: { all: "Todas", PENDING: "Pendentes", SUCCESS: "Concluídas", FAILURE: "Com falha" },
    ended: ({ title, state }) => `${title}: ${state}`,
    reading: "Lendo a lista…",
    none: "Nenhuma tarefa. Solicitações grandes aparecem aqui.",
    noneInState: "Nenhuma tarefa está neste estado.",
    newestOnly: "São mostradas as 100 mais recentes; a API lista todas.",
  },

  keyNeeded: {
    why: "Tarefas precisam de uma chave de acesso. Uma tarefa pertence ao titular da chave com que foi enviada, o único que lê o resultado; um visitante sem chave não possui nada.",
    byMail: "Um link para uma chave pode ser enviado ao seu e-mail. O mapa pode ser consultado sem chave.",
    byOperator: "Peça uma chave a quem opera este serviço. O mapa pode ser consultado sem chave.",
    getKey: "Obter ou inserir uma chave",
    enterKey: "Inserir uma chave",
  },

  untitled: {
    MetOcean: "Pontos sem nome",
    "2DMetOcean": "Área do mapa sem nome",
    "passages/evaluate": "Travessias sem nome",
    files: "Arquivo sem nome",
    "passages/optimise": "Melhor rota sem nome",
    route: "Rota sem nome",
  },

  row: {
    boxValues: (count) => `${values(count)} de uma área do mapa`,
    miles: (count) => `${whole(count)} M de uma melhor rota`,
    passagePlaces: (count) =>
      plural("pt", count, {
        one: `${whole(count)} lugar de uma travessia`,
        other: `${whole(count)} lugares de travessias`,
      }),
    asked: (age) => `pedida ${age}`,
    compressed: (size) => `${size} compactados`,
    noMail: "sem e-mail: nenhum está configurado para este serviço ou chave",
    mailWhenDone: "e-mail ao concluir",
    mailAsked: "e-mail solicitado",
    expired: "o resultado expirou",
    keptUntil: ({ day, month, year, clock }) =>
      `guardado até ${day} de ${dates.months[month - 1]} de ${year}, ${clock} UTC`,
    progressOf: ({ title }) => `Progresso de ${title}`,
  },

  states: {
    done: "Concluída",
    cancelled: "Cancelada",
    failed: "Com falha",
    running: "Em execução",
    runningAt: ({ percent }) => `Em execução, ${percent}%`,
    next: "Na fila, a próxima",
    waiting: ({ position }) => `Na fila, número ${position}`,
  },

  actions: {
    download: "Baixar",
    downloadOf: ({ title }) => `Baixar ${title}`,
    openOnMap: "Abrir no mapa",
    repeat: "Repetir",
    cancel: "Cancelar",
    delete: "Excluir",
    copyId: "Copiar id",
    copyIdOf: ({ title }) => ` de ${title}`,
  },

  undo: {
    deleting: ({ title }) => `“${title}” está sendo excluída.`,
    undo: "Desfazer",
    undoOf: ({ title }) => ` a exclusão de ${title}`,
    failed: ({ title, reason }) => `Não foi possível excluir “${title}”: ${reason}`,
  },

  notice: {
    failed: ({ reason }) => `Os pontos desta tarefa não podem ser mostrados: ${reason}`,
    none: "Esta tarefa não tem pontos que possam ser desenhados.",
    shown: ({ name, count }) => [name, `: ${points(count)}`],
    close: "Tirar os pontos do mapa",
  },

  form: {
    kind: "Do que se trata",
    kinds: { MetOcean: "Uma lista de pontos", "2DMetOcean": "Uma área do mapa" },
    name: "Nome, para encontrá-la depois",
    mail: "Enviar um e-mail ao concluir",
    sending: "Enviando…",
    start: "Iniciar a tarefa",
  },

  durations: {
    few: "alguns segundos",
    seconds: (count) => `cerca de ${count} s`,
    minutes: (count) => `cerca de ${count} min`,
    hours: (count) => `cerca de ${whole(count)} h`,
  },

  box: {
    what: "Grandeza",
    sides: { south: "Sul, °N", north: "Norte, °N", west: "Oeste, °E", east: "Leste, °E" },
    from: "De, UTC",
    to: "Até, UTC",
    wrongLatitudes: "As latitudes devem estar entre −90 e 90, primeiro a do sul.",
    wrongLongitudes:
      "As longitudes devem estar entre −180 e 180; se a do oeste for maior, a área cruza 180°.",
    wrongTimes: "As horas são escritas como 2026-09-15T12:00:00Z, primeiro a anterior.",
    tooLong: ({ days }) => `Uma solicitação abrange no máximo ${days} dias.`,
    tooMany: ({ count, most }) =>
      `Cerca de ${values(count)} são mais do que uma tarefa pode ter (${whole(most)}): escolha uma área menor ou um tempo mais curto.`,
    estimate: ({ count, size, duration }) =>
      `Cerca de ${values(count)}, ${size} em JSON, ${duration} de processamento.`,
  },

  list: {
    file: "Arquivo: GPX, ou CSV ou Excel (.xlsx) com latitude, longitude e, se houver, hora",
    paste: "Ou cole aqui",
    reading: "A lista está sendo lida.",
    choose: "Escolha um arquivo GPX, CSV ou Excel, ou cole uma lista.",
    tooMany: ({ count, most }) => `${points(count)} são mais do que uma tarefa pode ter (${whole(most)}).`,
    refusedRows: "Alguns pontos não podem ser lidos: corrija-os e escolha o arquivo de novo, ou descarte-os.",
    noQuantity: "Escolha ao menos uma grandeza.",
    someUntimed:
      "Nem todos os pontos têm hora: informe a hora de partida (2026-09-15T12:00:00Z) e a velocidade.",
    untimed: "A lista não tem horas: informe a hora de partida (2026-09-15T12:00:00Z) e a velocidade.",
    estimate: ({ count, size, duration }) =>
      `${points(count)}, cerca de ${size} em JSON, ${duration} de processamento.`,
    departure: "Partida do primeiro ponto, UTC",
    speed: "Velocidade, nós",
    quantities: "Grandezas",
    repeated: "A tarefa que se repete",
  },

  preview: {
    which: "O arquivo tem várias listas. Qual?",
    read: ({ file, count, timed }) => `${file && `${file}: `}${points(count)}${times[timed]}.`,
    drawnTimes:
      "As horas do arquivo são as de quando os pontos foram desenhados, não as de uma travessia. Elas não são usadas.",
    columns: ({ found, isUtc }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join(", ");
      const how =
        read === undefined
          ? "Nenhuma linha nomeia as colunas: lê-se primeiro a latitude e depois a longitude."
          : `Lido: ${read}.`;
      return isUtc ? `${how} As horas são tomadas como UTC.` : how;
    },
    refused: ({ read, refused }) =>
      plural("pt", refused, {
        one: `${whole(refused)} de ${whole(read + refused)} pontos não pode ser lido.`,
        other: `${whole(refused)} de ${whole(read + refused)} pontos não podem ser lidos.`,
      }),
    leaveOut: "Descartar estes pontos",
    dateOrder: "Datas como 03/04/2026 podem ser lidas de duas maneiras. Aqui elas são",
    dateOrders: { "day-month": "dia/mês/ano", "month-day": "mês/dia/ano" },
    miles: (count) => `${whole(count)} M`,
    planned: ({ speed }) => `prevista a ${speed} kn`,
    leaves: ({ when }) => `partida ${when}`,
  },
};
