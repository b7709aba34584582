/** `CANCELLED`, `CANCELED`, `CANCELLATION`. */
const CANCELLED = /CANCEL(?:L?ATION|L?ED)\b/;

/** Phrases that every alert may have: until when it holds, and what a reference is. */
const OF_FORM = /(?:OR CANCELL?ED BY|REF [A-Z] IS A [A-Z ]{0,60}CANCELL?ATION)/g;

/** `THIS ALERT IS CANCELLED`, `THIS FORMATION ALERT (WTPN21 PGTW 242000) HAS BEEN CANCELED`. */
const THIS_ALERT =
  /\bTHIS (?:[A-Z]+ ){0,3}(?:ALERT|TCFA)(?: ?\([^)]{0,60}\))? (?:IS|WAS|HAS BEEN) (?:[A-Z]+ )?CANCELL?ED/;

interface OfAlert {
  /** `98W`. */
  designation: string;
  /** Heading: `WTPN21`. */
  slot: string;
  /** Whether the text states an area of formation. */
  hasArea: boolean;
}

/**
 * Whether a formation alert says that it is cancelled itself: in its subject, or in a sentence on this alert or its invest.
 * Remarks on alerts of other invests do not count; where the text states an area, neither do those on earlier alerts.
 *
 * @param oneLine The text on one line, in upper case.
 */
export function isCancellation(oneLine: string, { designation, slot, hasArea }: OfAlert): boolean {
  const subject = /SUBJ\/(.{0,400}?)\/\//.exec(oneLine)?.[1] ?? "";
  if (CANCELLED.test(subject)) return true;
  const remarks = oneLine.slice(Math.max(0, oneLine.indexOf("RMKS/"))).replaceAll(OF_FORM, "");
  return remarks.split(/\. |\/\//).some((sentence) => {
    if (!CANCELLED.test(sentence)) return false;
    const named = new Set(sentence.match(/\b9\d[A-Z]\b/g));
    if (named.size > 0 && !named.has(designation)) return false;
    if (THIS_ALERT.test(sentence)) return true;
    if (hasArea) return named.size === 1 && !/\b(?:PREVIOUS|PRIOR|EARLIER|REPLACED|REF)\b/.test(sentence);
    return named.size > 0 || !isOfOther(sentence, slot, oneLine);
  });
}

/** Whether a sentence is about a reference, and that is a text of another heading. */
function isOfOther(sentence: string, slot: string, oneLine: string): boolean {
  const letter = /\bREF ([A-Z])\b/.exec(sentence)?.[1];
  if (letter === undefined) return false;
  const described = new RegExp(String.raw`\bREF ${letter} IS [^/]{0,200}?\b(WT[A-Z]{2}2\d)\b`).exec(
    oneLine,
  )?.[1];
  return described !== undefined && described !== slot;
}
