import type { AccessWords } from "../en/access.ts";

export const access: AccessWords = {
  faults: {
    keyRefused: "Dieser Zugangsschlüssel wird nicht mehr angenommen.",
    silent: "Der Server hat nicht geantwortet.",
    unreachable: "Der Server ist nicht erreichbar.",
    limited: "Zu viele Anfragen.",
    foreign:
      "Diese Antwort stammt nicht vom Dienst: Ein Portal dazwischen verlangt vielleicht zuerst etwas, oder der Dienst ist neuer als diese Seite. Laden Sie die Seite neu.",
    keyless: "Diese Antwort enthält keinen Schlüssel.",
    unreadable: "Die Kartendaten konnten nicht gelesen werden.",
    damaged: ({ reason }) => `Die Kartendaten sind beschädigt: ${reason}`,
    failed: ({ status }) => `Der Server konnte nicht antworten (${status}).`,
    rejected: ({ problems }) => `Der Server nimmt diese Anfrage nicht an. ${problems}`,
  },
  key: {
    label: "Zugangsschlüssel",
    titles: {
      absent: "Ein Zugangsschlüssel wird benötigt",
      refused: "Dieser Schlüssel wurde abgelehnt",
      asked: "Zugangsschlüssel eingeben",
    },
    reasons: {
      absent: "Der Server hat beim ersten Start einen ausgegeben. Er wird nur an diesen Server gesendet.",
      refused:
        "Er ist vielleicht falsch eingegeben, abgelaufen oder gesperrt. Bitten Sie den Betreiber dieses Dienstes um einen anderen.",
      asked:
        "Schlüssel gibt der Betreiber dieses Dienstes aus. Ein Schlüssel wird nur an diesen Server gesendet.",
    },
    use: "Schlüssel nutzen",
    goOnWithout: "Ohne Schlüssel fortfahren",
    remember: "Auf diesem Gerät speichern",
    rememberWhy:
      "Sonst ist er nach dem Schließen des Tabs weg. Wer dieses Gerät benutzt, kann einen gespeicherten Schlüssel verwenden.",
  },
  offered: {
    title: "Dieser Link bringt einen anderen Zugangsschlüssel mit",
    ofTab: "Dieser Tab verwendet",
    ofLink: "Der Link bringt",
    meaning:
      "Aufträge gehören dem Inhaber des Schlüssels, mit dem sie gesendet wurden. Mit dem Schlüssel des Links kann dessen Inhaber lesen, was Sie abfragen, und Sie sehen Ihre eigenen Aufträge nicht mehr. Verwenden Sie ihn nur, wenn Sie wissen, wem er gehört.",
    keep: "Meinen behalten",
    take: "Den des Links nutzen",
  },
  revoked: {
    text: "Ihr Zugangsschlüssel wird nicht mehr angenommen. Das Angezeigte wurde vorher gelesen und kann veraltet sein; Neues wird nicht gelesen.",
    enter: "Anderen Schlüssel eingeben",
  },
  status: {
    inUse: ({ key }) => `Dieser Tab verwendet den Schlüssel ${key}.`,
    remembered: "Er bleibt auf diesem Gerät, bis Sie ihn entfernen, und ist nie Teil eines Links.",
    kept: "Er bleibt erhalten, bis der Tab geschlossen wird, und ist nie Teil eines Links.",
    forget: "Schlüssel entfernen",
    visitor:
      "Sie lesen die Karte als Gast, ohne Zugangsschlüssel. Aufträge und große Anfragen brauchen einen.",
    enter: "Schlüssel eingeben",
  },
  made: {
    title: "Ihren Zugangsschlüssel erstellen",
    explanation: "Der Link in Ihrer E-Mail erstellt einen Schlüssel. Er funktioniert einmal.",
    make: "Schlüssel erstellen",
    doneTitle: "Ihr Zugangsschlüssel",
    shownOnce:
      "Er wird nur jetzt angezeigt. Bewahren Sie ihn wie ein Passwort auf: Auch Programme brauchen ihn.",
    copy: "Schlüssel kopieren",
    copyFailed: "Markieren Sie den Schlüssel oben und kopieren Sie ihn",
  },
  asked: {
    label: "Noch kein Schlüssel? Lassen Sie sich einen Link an Ihre E-Mail-Adresse senden:",
    send: "Link senden",
    sent: "Wenn E-Mails diese Adresse erreichen, ist der Link unterwegs. Er funktioniert einmal, eine Stunde lang.",
  },
};
