import { type Likelihood, likelihoods } from "#lib/contract/likelihoods.ts";
import { MAX_PARAGRAPH } from "#lib/contract/storm-outlook.ts";
import { DEGREES, placeOf } from "./coordinates.ts";

/** Phrases that JTWC's outlooks and formation alerts share. All of them expect a text on one line, in upper case. */

const LOCATED = new RegExp(
  `(PREVIOUSLY )?(?:LOCATED|PERSISTED|DEVELOPED|FORMED|CENTERED|REMAINED|STATIONARY) (?:NEAR|AT) ${DEGREES}`,
  "g",
);

/** Where a paragraph says that its system is now. Where it was before, and other systems, do not count. */
export function placeNow(words: string): { latitude: number; longitude: number } | undefined {
  for (const [, previously, ...position] of words.matchAll(LOCATED)) {
    if (previously === undefined) return placeOf(position);
  }
  return undefined;
}

/** `THE POTENTIAL FOR THE DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS MEDIUM.` */
export function potentialOf(words: string): Likelihood | null {
  const sentence = /POTENTIAL FOR (?:THE )?(?:DEVELOPMENT|TRANSITION|FORMATION)[^.]{0,300}/.exec(words)?.[0];
  // `UPGRADED FROM LOW TO MEDIUM`, `HIGH DUE TO LOW SHEAR`: what it is said to be counts, and of several the highest.
  const stated = sentence?.match(/\b(?:IS|ARE|REMAINS|NOW|BE|(?<!DUE )TO) (?:LOW|MEDIUM|HIGH)\b/g);
  const found = (stated ?? sentence?.match(/(?<!FROM )\b(?:LOW|MEDIUM|HIGH)\b/g) ?? []).join(" ");
  return likelihoods.findLast((likelihood) => found.includes(likelihood.toUpperCase())) ?? null;
}

/** `WINDS ARE ESTIMATED AT 20 TO 25 KNOTS`, kt. */
export function windsOf(words: string): { min: number; max: number } | null {
  const match =
    /WINDS? (?:IN THE AREA )?(?:ARE|IS|WERE) ESTIMATED (?:AT|TO BE) (?:(\d{1,3}) TO )?(\d{1,3}) (?:KNOTS|KTS?)/.exec(
      words,
    );
  if (!match) return null;
  const max = Number(match[2]);
  const min = Number(match[1] ?? max);
  return max > 0 && max <= 250 && min <= max ? { min, max } : null;
}

/** `MINIMUM SEA LEVEL PRESSURE IS ESTIMATED TO BE NEAR 1004 MB`, hPa. */
export function pressureOf(words: string): number | null {
  const match = /PRESSURE IS ESTIMATED (?:TO BE )?(?:NEAR|AT) (\d{3,4}) MB/.exec(words);
  const pressure = Number(match?.[1]);
  return pressure >= 800 && pressure <= 1100 ? pressure : null;
}

/** A paragraph for readers, at most as long as the contract allows. */
export function paragraphOf(words: string): string {
  return words.trim().slice(0, MAX_PARAGRAPH);
}
