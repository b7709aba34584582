import type { AccessWords } from "../en/access.ts";

export const access: AccessWords = {
  faults: {
    keyRefused: "Cette clé d’accès n’est plus acceptée.",
    silent: "Le serveur n’a pas répondu.",
    unreachable: "Le serveur est injoignable.",
    limited: "Trop de requêtes.",
    foreign:
      "Cette réponse n’est pas celle du service\u00a0: un portail intermédiaire attend peut-être une action de votre part, ou le service est plus récent que cette page. Rechargez la page.",
    keyless: "Cette réponse ne contient pas de clé.",
    unreadable: "Les données de la carte n’ont pas pu être lues.",
    damaged: ({ reason }) => `Le champ de la carte est endommagé\u00a0: ${reason}`,
    failed: ({ status }) => `Le serveur n’a pas pu répondre (${status}).`,
    rejected: ({ problems }) => `Le serveur n’accepte pas cette requête. ${problems}`,
  },
  key: {
    label: "Clé d’accès",
    titles: {
      absent: "Une clé d’accès est nécessaire",
      refused: "Cette clé a été refusée",
      asked: "Saisir une clé d’accès",
    },
    reasons: {
      absent: "Le serveur en a affiché une à son premier démarrage. Elle n’est envoyée qu’à ce serveur.",
      refused:
        "Elle est peut-être mal saisie, expirée ou révoquée. Demandez-en une autre à l’exploitant de ce service.",
      asked: "L’exploitant de ce service délivre les clés. Une clé n’est envoyée qu’à ce serveur.",
    },
    use: "Utiliser cette clé",
    goOnWithout: "Continuer sans clé",
    remember: "La mémoriser sur cet appareil",
    rememberWhy:
      "Sinon, elle disparaît à la fermeture de l’onglet. Quiconque utilise cet appareil peut se servir d’une clé mémorisée.",
  },
  offered: {
    title: "Ce lien apporte une autre clé d’accès",
    ofTab: "Cet onglet utilise",
    ofLink: "Le lien apporte",
    meaning:
      "Les tâches appartiennent au titulaire de la clé avec laquelle elles ont été envoyées. Avec la clé du lien, son titulaire peut lire ce que vous demandez, et vous ne voyez plus vos propres tâches. Ne l’utilisez que si vous savez à qui elle est.",
    keep: "Garder ma clé",
    take: "Utiliser la clé du lien",
  },
  revoked: {
    text: "Votre clé d’accès n’est plus acceptée. Ce qui est affiché a été lu auparavant et peut être ancien\u202f; rien de nouveau n’est lu.",
    enter: "Saisir une autre clé",
  },
  status: {
    inUse: ({ key }) => `Cet onglet utilise la clé ${key}.`,
    remembered:
      "Elle reste sur cet appareil jusqu’à ce que vous l’oubliiez et ne figure jamais dans un lien.",
    kept: "Elle est conservée jusqu’à la fermeture de l’onglet et ne figure jamais dans un lien.",
    forget: "Oublier cette clé",
    visitor:
      "Vous consultez la carte en visiteur, sans clé d’accès. Les tâches et les requêtes volumineuses en exigent une.",
    enter: "Saisir une clé d’accès",
  },
  made: {
    title: "Créer votre clé d’accès",
    explanation: "Le lien de votre e-mail crée une clé. Il ne fonctionne qu’une fois.",
    make: "Créer ma clé",
    doneTitle: "Votre clé d’accès",
    shownOnce:
      "Elle n’est affichée que maintenant. Conservez-la avec vos mots de passe\u00a0: les programmes en ont aussi besoin.",
    copy: "Copier la clé",
    copyFailed: "Sélectionnez la clé ci-dessus et copiez-la",
  },
  asked: {
    label: "Pas encore de clé\u202f? Recevez un lien par e-mail à votre adresse\u00a0:",
    send: "Envoyer le lien",
    sent: "Si cette adresse reçoit les e-mails, le lien est en route. Il fonctionne une fois, pendant une heure.",
  },
};
