import { lists as english } from "#lib/messages/generated/en/lists.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";

type Problems = Messages["lists"]["problems"];

/**
 * Why a list, or a row of it, cannot be used: the name of a message and its values, in a form that a worker
 * can send.
 */
export type ListProblem = {
  [Code in keyof Problems]: Problems[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code };
}[keyof Problems];

export function problemText(problem: ListProblem, { problems }: Messages["lists"]): string {
  const words = problems[problem.code] as string | ((values: ListProblem) => string);
  return typeof words === "string" ? words : words(problem);
}

/** The problems of a list, of which at most `MAX_SHOWN` are shown. */
export interface ListProblems {
  shown: readonly ListProblem[];
  /** Number of problems that are not shown. */
  more: number;
}

export const MAX_SHOWN = 5;

/** The messages, one per line. */
export function problemsText({ shown, more }: ListProblems, words: Messages["lists"]): string {
  const lines = shown.map((problem) => problemText(problem, words));
  return [...lines, ...(more > 0 ? [words.more({ count: more })] : [])].join("\n");
}

/** Collects problems; undefined if there are none. @param count Total number, if not all are given. */
export function problemsOf(
  problems: readonly ListProblem[],
  count = problems.length,
): ListProblems | undefined {
  const shown = problems.slice(0, MAX_SHOWN);
  return count === 0 ? undefined : { shown, more: count - shown.length };
}

/**
 * A list cannot be used. The message is in English; pages write `problems` in the language of their reader.
 */
export class PointListError extends Error {
  override readonly name = "PointListError";
  readonly problems: ListProblems;
  /** @param count Total number, if not all problems are given. */
  constructor(problems: readonly ListProblem[], count = problems.length) {
    const found = problemsOf(problems, count) ?? { shown: [], more: 0 };
    super(problemsText(found, english));
    this.problems = found;
  }
}

/**
 * Selects the lists that have points.
 *
 * @throws PointListError if no list has a point that can be read.
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
