import type { Judged } from "./judge.ts";
import type { ModelAnswer } from "./models.ts";

/** The answers of the members of an ensemble to a question, counted. */
export interface MembersAnswer {
  ensemble: string;
  /** Name for people. */
  title: string;
  /** Least share of members that was asked for, per cent. */
  percent: number;
  reached: number;
  notReached: number;
  cannotSay: number;
  /** Base time of the newest run, Unix seconds. */
  runAt: number | undefined;
  /** How many members have all that the question needs of this run. */
  arrived: number;
  /** How many members are made. */
  size: number;
  /** How many members of the same run had arrived when the watch was evaluated before; undefined if no more have since. */
  arrivedBefore: number | undefined;
}

/** The answers of one member. */
export interface MemberAnswer {
  /** By the limits themselves. */
  strict: ModelAnswer;
  /** With the margin of a watch that has fired. */
  held: ModelAnswer;
}

const count = (answers: readonly ModelAnswer[], says: ModelAnswer["says"]) =>
  answers.filter((one) => one.says === says).length;

/**
 * Whether at least a share of all members reaches the limits. What members that cannot say might say decides nothing: the answer
 * is unknown while it would change it.
 *
 * @param percent Per cent of all members.
 */
export function stateOfMembers(answers: readonly ModelAnswer[], percent: number): Judged["state"] {
  const enough = (members: number) => 100 * members >= percent * answers.length;
  const reached = count(answers, "reached");
  if (answers.length === 0) return "unknown";
  if (enough(reached)) return "true";
  return enough(reached + count(answers, "cannot_say")) ? "unknown" : "false";
}

/**
 * The judgement of all members. Once a watch has fired, the margins of its quantities keep it from clearing; its counts are
 * always those of the limits themselves.
 */
export function judgedByMembers(
  answers: readonly MemberAnswer[],
  percent: number,
  firing: boolean,
): {
  judged: Judged;
  answer: ModelAnswer | undefined;
  counts: Pick<MembersAnswer, "reached" | "notReached" | "cannotSay">;
} {
  const strict = answers.map((one) => one.strict);
  const held = answers.map((one) => one.held);
  const own = stateOfMembers(strict, percent);
  const isHeld = firing && own === "false" && stateOfMembers(held, percent) !== "false";
  const state = isHeld ? stateOfMembers(held, percent) : own;
  const answer = middleOf(isHeld ? held : strict, state);
  const counts = {
    reached: count(strict, "reached"),
    notReached: count(strict, "not_reached"),
    cannotSay: count(strict, "cannot_say"),
  };
  const judged: Judged = answer
    ? { ...answer.judged, state }
    : { state, deciding: undefined, windows: [], knownShare: 0 };
  return { judged, answer, counts };
}

/**
 * The member that stands for those that decided: of those that say yes (if the answer is no: that say no) the one in the middle
 * by the time at which it begins, or by its value.
 */
function middleOf(answers: readonly ModelAnswer[], state: Judged["state"]): ModelAnswer | undefined {
  const wanted = answers.filter(({ says }) => says === (state === "false" ? "not_reached" : "reached"));
  const known = wanted.length > 0 ? wanted : answers;
  const key = ({ judged: { deciding } }: ModelAnswer) =>
    deciding === undefined ? Number.POSITIVE_INFINITY : state === "false" ? deciding.value : deciding.from;
  return known.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0))[
    (known.length - 1) >> 1
  ];
}
