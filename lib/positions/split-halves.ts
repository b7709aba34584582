import type { Token } from "./tokens.ts";

type Halves = readonly [readonly Token[], readonly Token[]];

/**
 * Splits the tokens of a position into its two halves: by names of the axes, by letters, by separators, by degree signs,
 * by the sign of the second number, or in the middle.
 *
 * @returns "half" where there is one only, "twice" or "numbers" where they cannot be told apart.
 */
export function splitHalves(tokens: readonly Token[]): Halves | "half" | "twice" | "numbers" {
  const count = (kind: Token["kind"]) => tokens.filter((token) => token.kind === kind).length;
  const [axes, letters] = [count("axis"), count("hemisphere")];
  if (count("number") < 2) return "half";
  if (axes > 2 || letters > 2) return "twice";
  if (axes === 2) return byKind(tokens, "axis");
  if (letters === 2) return byKind(tokens, "hemisphere");
  const halves = bySeparator(tokens) ?? (letters === 1 ? byLetter(tokens) : undefined) ?? bare(tokens);
  // 48 30N: degrees and minutes of one angle.
  const isOneAngle = letters === 1 && count("number") <= 3 && count("separator") + count("sign") === 0;
  return isOneAngle && !byLetter(tokens) ? "half" : halves;
}

/** The name or letter comes before its numbers, or after them. */
function byKind(tokens: readonly Token[], kind: "axis" | "hemisphere"): Halves {
  const meant = tokens.filter((token) => token.kind !== "separator");
  const leads = leadsNumbers(meant, kind);
  const [first = 0, second = 0] = meant.flatMap((token, index) => (token.kind === kind ? [index] : []));
  const cut = leads ? second : first + 1;
  return [meant.slice(0, cut), meant.slice(cut)];
}

function leadsNumbers(tokens: readonly Token[], kind: Token["kind"]): boolean {
  const first = tokens.findIndex((token) => token.kind === kind);
  return first < tokens.findIndex((token) => token.kind === "number");
}

/** One line end or semicolon, else one comma. */
function bySeparator(tokens: readonly Token[]): Halves | undefined {
  for (const hard of [true, false]) {
    const found = tokens.flatMap((token, index) =>
      token.kind === "separator" && token.hard === hard ? [index] : [],
    );
    const [at] = found;
    if (found.length !== 1 || at === undefined) continue;
    const halves = [tokens.slice(0, at), tokens.slice(at + 1)] as const;
    if (halves.every((half) => half.some(({ kind }) => kind === "number"))) return halves;
  }
  return undefined;
}

/** One letter only: between the numbers it belongs to those before it, unless it stands right before the others. */
function byLetter(tokens: readonly Token[]): Halves | undefined {
  const at = tokens.findIndex(({ kind }) => kind === "hemisphere");
  const letter = tokens[at];
  const isNumber = ({ kind }: Token) => kind === "number";
  if (
    letter?.kind !== "hemisphere" ||
    !tokens.slice(0, at).some(isNumber) ||
    !tokens.slice(at).some(isNumber)
  ) {
    return undefined;
  }
  const cut = letter.spaceBefore ? at : at + 1;
  return [tokens.slice(0, cut), tokens.slice(cut)];
}

function bare(tokens: readonly Token[]): Halves | "numbers" {
  const meant = tokens.filter(({ kind }) => kind !== "separator");
  const at = (wanted: (token: Token) => boolean) =>
    meant.flatMap((token, index) => (wanted(token) ? [index] : []));
  const numbers = at(({ kind }) => kind === "number");
  const cutAt = (index: number): Halves => {
    // The sign before a number goes with it.
    const cut = meant[index - 1]?.kind === "sign" ? index - 1 : index;
    return [meant.slice(0, cut), meant.slice(cut)];
  };
  const degrees = at((token) => token.kind === "mark" && token.mark === "°");
  if (degrees.length === 2) return cutAt(degrees[1]! - 1);
  const [firstNumber = 0] = numbers;
  const signs = at(({ kind }) => kind === "sign").filter((index) => index > firstNumber);
  if (signs.length === 1) return cutAt(signs[0]! + 1);
  return numbers.length % 2 === 0 && signs.length === 0 ? cutAt(numbers[numbers.length / 2]!) : "numbers";
}
