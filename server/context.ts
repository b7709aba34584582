import type { Door } from "#server/http/door.ts";

/** The rooms of the house, joined. One a process. */
export interface Context extends Door {
  /** What must work for requests to be answered: name of the part → undefined, or why it does not. */
  ready(): Promise<Record<string, string | undefined>>;
  close(): Promise<void>;
}
