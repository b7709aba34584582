import { createStore } from "#lib/store.ts";

/** Conditions at the place of the panel, by the API's names. */
export interface ConditionsThen {
  /** Unix seconds. */
  time: number;
  conditions: Readonly<Record<string, number | null | undefined>>;
}

const none: readonly ConditionsThen[] = [];

/** The hours of the series at the place of the panel, ascending, while it shows them; the time bar has their colours. */
export const alongTime = createStore(() => none);

/** Shows hours on the time bar. @returns Function that removes them. */
export function showAlongTime(hours: readonly ConditionsThen[]): () => void {
  alongTime.set(hours);
  return () => {
    if (alongTime.read() === hours) alongTime.set(none);
  };
}
