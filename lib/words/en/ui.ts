/** Buttons, dialogs and panels. */
export const ui = {
  /** Sentences after each other. */
  sentences: (sentences: readonly string[]) => sentences.join(" "),
  close: "Close",
  copied: "Copied",
  cannotCopy: "This browser cannot copy here",
  copyDetails: "Copy details",
  tryAgain: "Try again",
  /** Counts down. */
  nextTry: (seconds: number) => `Next try in ${seconds} s.`,
  /** The panel beside the map. */
  details: "Details",
  lower: "Lower the panel",
  raise: "Raise the panel",
  fold: "Fold the panel away",
  unfold: "Open the panel",
};

export type UiWords = typeof ui;
