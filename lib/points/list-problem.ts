import { lists as english } from "#lib/messages/generated/en/lists.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";

type Problems = Messages["lists"]["problems"];

/** Why a list, or a row of it, cannot be used: the name of a sentence and the values in it, so that a worker can send it. */
export type ListProblem = {
  [Code in keyof Problems]: Problems[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code };
}[keyof Problems];

/** The sentence of a problem, for the author of the list. */
export function problemText(problem: ListProblem, { problems }: Messages["lists"]): string {
  const words = problems[problem.code] as string | ((values: ListProblem) => string);
  return typeof words === "string" ? words : words(problem);
}

/** What is wrong with a list, at most `MAX_SHOWN` problems of all that it has. */
export interface ListProblems {
  shown: readonly ListProblem[];
  /** How many there are beside them. */
  more: number;
}

export const MAX_SHOWN = 5;

/** One problem a line. */
export function problemsText({ shown, more }: ListProblems, words: Messages["lists"]): string {
  const lines = shown.map((problem) => problemText(problem, words));
  return [...lines, ...(more > 0 ? [words.more({ count: more })] : [])].join("\n");
}

/** Undefined where there are none. @param count How many there are, where not all are given. */
export function problemsOf(
  problems: readonly ListProblem[],
  count = problems.length,
): ListProblems | undefined {
  const shown = problems.slice(0, MAX_SHOWN);
  return count === 0 ? undefined : { shown, more: count - shown.length };
}

/** A list that cannot be used. Its message is in English; a page writes `problems` in the language of its reader. */
export class PointListError extends Error {
  override readonly name = "PointListError";
  readonly problems: ListProblems;
  /** @param count How many there are, where not all are given. */
  constructor(problems: readonly ListProblem[], count = problems.length) {
    const found = problemsOf(problems, count) ?? { shown: [], more: 0 };
    super(problemsText(found, english));
    this.problems = found;
  }
}

/**
 * The lists that have points, or none that can be read.
 *
 * @throws PointListError where none has a point that can be read.
 */
export function usableLists<List extends { points: readonly unknown[]; unread?: ListProblems }>(
  lists: readonly List[],
): List[] {
  const found = lists.filter(({ points, unread }) => points.length > 0 || unread);
  if (found.some(({ points }) => points.length > 0)) return found;
  const shown = found.flatMap(({ unread }) => unread?.shown ?? []);
  const more = found.reduce((sum, { unread }) => sum + (unread?.more ?? 0), 0);
  throw new PointListError(shown.length > 0 ? shown : [{ code: "noLists" }], shown.length + more || 1);
}
