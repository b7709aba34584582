/** Longest time between the clicks of a double click, ms. */
export const DOUBLE_CLICK_MS = 300;

/** Tells single clicks from the first ones of double clicks. */
export interface SingleClicks {
  /** A click: acts unless something follows within `DOUBLE_CLICK_MS`. */
  click(act: () => void): void;
  /** Something follows: another press, a double click, a second finger. */
  cancel(): void;
}

/** @param onSingle Called before the action of a click that stayed alone. */
export function singleClicks(onSingle: () => void): SingleClicks {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  return {
    click(act) {
      cancel();
      timer = setTimeout(() => {
        onSingle();
        act();
      }, DOUBLE_CLICK_MS);
    },
    cancel,
  };
}
