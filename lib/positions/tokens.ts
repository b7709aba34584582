import { type Axis, axisWords, fillerWords, type Hemisphere, hemisphereWords, markWords } from "./words.ts";

/** One sign of a written position. */
export type Token =
  | { kind: "number"; text: string }
  | { kind: "mark"; mark: string }
  | { kind: "sign"; sign: "-" | "+" }
  | { kind: "hemisphere"; hemisphere: Hemisphere; spaceBefore: boolean }
  | { kind: "axis"; axis: Axis }
  /** `;` and line ends separate the halves of a position; a comma may. */
  | { kind: "separator"; hard: boolean };

export interface Tokens {
  tokens: Token[];
  /** Every word, lower case and without accents. */
  words: string[];
}

const CJK = /[\u4e00-\u9fff]+/gu;
const cjkWords = [...hemisphereWords.keys(), ...axisWords.keys(), ...markWords.keys(), ...fillerWords]
  .filter((word) => /[\u4e00-\u9fff]/u.test(word))
  .sort((one, other) => other.length - one.length);
const CJK_WORD = new RegExp(`${cjkWords.join("|")}|[\u4e00-\u9fff]`, "gu");

/** The text with one form of each sign: `°`, `'`, `"`, `-` for hyphens and dashes, `−` for a minus sign. */
export function plainSigns(text: string): string {
  return text
    .replace(/[º˚∘ᵒ]/g, "°")
    .replace(/[″“”„˝〃]|''|′′|’’/g, '"')
    .replace(/[′’‘´`ʹ‵]/g, "'")
    .replace(/[–—‐‑‒]/g, "-")
    .replace(/(?<!\p{L})ö(?!\p{L})/giu, "ø")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("''", '"')
    .toLowerCase()
    .replace(CJK, (run) => run.replace(CJK_WORD, " $& "));
}

const SIGN =
  /(?<number>\d+(?:[.,]\d+)?)|(?<word>[\p{L}φλ]+)|(?<mark>[°'"])|(?<minus>[-−+])|(?<hard>[;/|\n\t]+)|(?<soft>,)|(?<other>[\s:=.()[\]]+)|(?<bad>.)/gsu;

/**
 * Splits a text of plain signs into tokens.
 *
 * @param decimalComma Whether a comma between digits is a decimal comma.
 * @returns Undefined where the text contains a word or a sign that no position has.
 */
export function tokensOf(plain: string, decimalComma: boolean): Tokens | undefined {
  const text = decimalComma ? plain.replace(/(\d),(?=\d)/g, "$1.") : plain.replace(/(\d),(?=\d)/g, "$1 ,");
  const tokens: Token[] = [];
  const words: string[] = [];
  let end = 0;
  let space = true;
  for (const { 0: sign, index, groups = {} } of text.matchAll(SIGN)) {
    end = index + sign.length;
    if (groups.number) tokens.push({ kind: "number", text: sign });
    else if (groups.mark) tokens.push({ kind: "mark", mark: sign });
    else if (groups.minus) tokens.push({ kind: "sign", sign: sign === "+" ? "+" : "-" });
    else if (groups.hard || groups.soft) tokens.push({ kind: "separator", hard: groups.soft === undefined });
    else if (groups.word) {
      const found = wordTokens(sign, space);
      if (!found) return undefined;
      words.push(sign);
      tokens.push(...found);
    } else if (groups.bad) return undefined;
    space = groups.other !== undefined;
  }
  return end === text.length ? { tokens, words } : undefined;
}

function wordTokens(word: string, spaceBefore: boolean): Token[] | undefined {
  const hemisphere = hemisphereWords.get(word);
  if (hemisphere) return [{ kind: "hemisphere", hemisphere, spaceBefore }];
  const axis = axisWords.get(word);
  if (axis) return [{ kind: "axis", axis }];
  const mark = markWords.get(word);
  if (mark) return [{ kind: "mark", mark }];
  return fillerWords.has(word) ? [] : undefined;
}
