/** Keys, and requests that failed. */
export const access = {
  /** Why a request failed. */
  faults: {
    keyRefused: "This API key is no longer accepted.",
    silent: "The server did not answer.",
    unreachable: "The server could not be reached.",
    limited: "Too many requests.",
    foreign:
      "This answer is not the service's: a portal in between may want something first, or the service is newer than this page. " +
      "Load the page again.",
    keyless: "This answer has no key.",
    unreadable: "The map data could not be read.",
    /** @param reason In English. */
    damaged: ({ reason }: { reason: string }) => `The map frame is damaged: ${reason}`,
    failed: ({ status }: { status: number }) => `The server could not answer (${status}).`,
    /** @param problems What the service says, in English. */
    rejected: ({ problems }: { problems: string }) => `The server does not take this. ${problems}`,
  },
  /** Where a key is asked for. */
  key: {
    label: "API key",
    titles: {
      absent: "An API key is needed",
      refused: "This key was refused",
      asked: "Enter an API key",
    },
    reasons: {
      absent: "The server printed one when it was first started. It is sent only to this server.",
      refused: "It may be mistyped, expired or revoked. Ask who runs this service for another one.",
      asked: "Who runs this service gives out keys. A key is sent only to this server.",
    },
    use: "Use this key",
    goOnWithout: "Go on without a key",
    remember: "Remember it on this device",
    rememberWhy:
      "Otherwise it is gone when the tab is closed. Whoever uses this device can use a key that is remembered.",
  },
  /** A link brings another key than the one in use. */
  offered: {
    title: "This link brings another API key",
    ofTab: "This tab uses",
    ofLink: "The link brings",
    meaning:
      "Tasks belong to the owner of the key that they were sent with. With the link's key, its owner can read what you ask for, and you no longer see your own tasks. Use it only if you know whose key it is.",
    keep: "Keep my key",
    take: "Use the link's key",
  },
  /** The key was revoked while it was in use. */
  revoked: {
    text: "Your API key is no longer accepted. What is shown was read before and may be old; nothing new is read.",
    enter: "Enter another key",
  },
  /** The menu of the key in use. */
  status: {
    /** @param key Place of the key. */
    inUse: ({ key }: { key: string }) => `This tab uses the key ${key}.`,
    remembered: "It stays on this device until you forget it, and is never part of a link.",
    kept: "It is kept until the tab is closed, and is never part of a link.",
    forget: "Forget this key",
    visitor: "You read the map as a visitor, without an API key. Tasks and large requests need one.",
    enter: "Enter an API key",
  },
  /** The link of an e-mail makes a key. */
  made: {
    title: "Make your API key",
    explanation: "The link of your e-mail makes one key. It works once.",
    make: "Make my key",
    doneTitle: "Your API key",
    shownOnce: "It is shown only now. Keep it where you keep passwords: programs need it too.",
    copy: "Copy the key",
    copyFailed: "Select the key above and copy it",
  },
  /** Asks for a link to a key by e-mail. */
  asked: {
    label: "No key yet? Have a link to one sent to your e-mail address:",
    send: "Send the link",
    sent: "If mail reaches this address, the link is on its way. It works once, for an hour.",
  },
};

export type AccessWords = typeof access;
