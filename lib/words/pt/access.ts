import type { AccessWords } from "../en/access.ts";

export const access: AccessWords = {
  faults: {
    keyRefused: "Esta chave de acesso não é mais aceita.",
    silent: "O servidor não respondeu.",
    unreachable: "Não foi possível conectar ao servidor.",
    limited: "Solicitações demais.",
    foreign:
      "Esta resposta não é do serviço: talvez um portal intermediário exija algo antes, ou o serviço seja mais novo que esta página. Recarregue a página.",
    keyless: "Esta resposta não contém nenhuma chave.",
    unreadable: "Não foi possível ler os dados do mapa.",
    damaged: ({ reason }) => `O campo do mapa está danificado: ${reason}`,
    failed: ({ status }) => `O servidor não conseguiu responder (${status}).`,
    rejected: ({ problems }) => `O servidor não aceita esta solicitação. ${problems}`,
  },
  key: {
    label: "Chave de acesso",
    titles: {
      absent: "É necessária uma chave de acesso",
      refused: "Esta chave foi recusada",
      asked: "Inserir uma chave de acesso",
    },
    reasons: {
      absent: "O servidor exibiu uma ao ser iniciado pela primeira vez. Ela só é enviada a este servidor.",
      refused:
        "Ela pode ter sido digitada errada, expirado ou sido revogada. Peça outra a quem opera este serviço.",
      asked: "Quem opera este serviço fornece as chaves. Uma chave só é enviada a este servidor.",
    },
    use: "Usar esta chave",
    goOnWithout: "Continuar sem chave",
    remember: "Lembrar neste dispositivo",
    rememberWhy:
      "Caso contrário, ela some quando a aba é fechada. Quem usa este dispositivo pode usar uma chave lembrada.",
  },
  offered: {
    title: "Este link traz outra chave de acesso",
    ofTab: "Esta aba usa",
    ofLink: "O link traz",
    meaning:
      "As tarefas pertencem ao titular da chave com que foram enviadas. Com a chave do link, o titular dela pode ler o que você pede, e você deixa de ver suas próprias tarefas. Use-a apenas se souber de quem ela é.",
    keep: "Manter minha chave",
    take: "Usar a chave do link",
  },
  revoked: {
    text: "Sua chave de acesso não é mais aceita. O que aparece foi lido antes e pode estar desatualizado; nada de novo é lido.",
    enter: "Inserir outra chave",
  },
  status: {
    inUse: ({ key }) => `Esta aba usa a chave ${key}.`,
    remembered: "Ela fica neste dispositivo até você esquecê-la e nunca faz parte de um link.",
    kept: "Ela é mantida até a aba ser fechada e nunca faz parte de um link.",
    forget: "Esquecer esta chave",
    visitor:
      "Você vê o mapa como visitante, sem chave de acesso. Tarefas e solicitações grandes precisam de uma.",
    enter: "Inserir uma chave",
  },
  made: {
    title: "Criar sua chave de acesso",
    explanation: "O link do seu e-mail cria uma chave. Ele funciona uma vez.",
    make: "Criar minha chave",
    doneTitle: "Sua chave de acesso",
    shownOnce: "Ela só é mostrada agora. Guarde-a onde você guarda senhas: programas também precisam dela.",
    copy: "Copiar a chave",
    copyFailed: "Selecione a chave acima e copie-a",
  },
  asked: {
    label: "Ainda não tem chave? Receba um link no seu e-mail:",
    send: "Enviar o link",
    sent: "Se este endereço recebe e-mails, o link está a caminho. Ele funciona uma vez, por uma hora.",
  },
};
