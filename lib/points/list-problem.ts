import { lists as english, type ListsWords } from "#lib/words/en/lists.ts";

type Problems = ListsWords["problems"];

/** Why a list, or a row of it, cannot be used: the name of a sentence and the values in it, so that a worker can send it. */
export type ListProblem = {
  [Code in keyof Problems]: Problems[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code };
}[keyof Problems];

/** The sentence of a problem, for the author of the list. */
export function problemText(problem: ListProblem, { problems }: ListsWords): string {
  const words = problems[problem.code] as string | ((values: ListProblem) => string);
  return typeof words === "string" ? words : words(problem);
}

/** What is wrong with a list, at most `MAX_SHOWN` problems of all that it has. */
export interface ListProblems {
  shown: readonly ListProblem[];
  /** How many there are beside them. */
  more: number;
}

const MAX_SHOWN = 5;

/** One problem a line. */
export function problemsText({ shown, more }: ListProblems, words: ListsWords): string {
  const lines = shown.map((problem) => problemText(problem, words));
  return [...lines, ...(more > 0 ? [words.more(more)] : [])].join("\n");
}

/** A list that cannot be used. Its message is in English; a page writes `problems` in the language of its reader. */
export class PointListError extends Error {
  override readonly name = "PointListError";
  readonly problems: ListProblems;
  /** @param count How many there are, where not all are given. */
  constructor(problems: readonly ListProblem[], count = problems.length) {
    const shown = problems.slice(0, MAX_SHOWN);
    const found = { shown, more: count - shown.length };
    super(problemsText(found, english));
    this.problems = found;
  }
}
