import { TextRefusedError } from "./jtwc-text.ts";

/**
 * A text that ends in its middle: a mirror was interrupted, or is still writing. A forecast that stops at the cut looks like
 * a shorter forecast, so nothing of it is read.
 */
export class TextCutError extends TextRefusedError {
  override readonly name = "TextCutError";

  constructor(what: string) {
    super(`cut: ${what}`);
  }
}

/** The end of a message of the US Navy and of the WMO's network, on a line of its own. */
const END = /^[ \t]*NNNN[ \t]*\r?$/m;

/** Longer headings are recognised as those of a kind. */
const RECOGNISED_FROM = 20;

/** Whether a text that no parser knows may be the beginning of one that a parser would. */
export function isTooShortToKnow(text: string): boolean {
  return text.trim().length < RECOGNISED_FROM;
}

/**
 * Refuses a bulletin without its end. Mirrors exist that leave out the NNNN: then the last thing that its form has must be
 * there, whole.
 *
 * @param lastOfForm Whether the text, without NNNN, ends with the last thing of its form.
 * @param last The last thing, for the operator.
 * @throws TextCutError
 */
export function refuseCut(text: string, lastOfForm: (text: string) => boolean, last: string): void {
  if (!END.test(text) && !lastOfForm(text)) throw new TextCutError(`no NNNN, and no ${last}`);
}

/**
 * Whether the remarks of a message end: its last set is closed with `//`. Sets of the heading have it too. Copies of an alert
 * go on with whole rows of the past track.
 */
export function endsWithRemarks(text: string): boolean {
  if (!/^(?:RMKS\/|1\. )/m.test(text)) return false;
  const rows = text.trimEnd().split("\n");
  const last = rows.findLastIndex((row) => !/^\d{10} /.test(row));
  const isWhole = last === rows.length - 1 || text.endsWith("\n");
  return isWhole && rows[last]!.trimEnd().endsWith("//");
}

/** Whether a warning in words ends, after all its positions. */
export function endsWithWarningRemarks(text: string): boolean {
  return /^[ \t]*REMARKS:/m.test(text) && text.trimEnd().endsWith("//");
}

/** @throws TextCutError for the first part of a split warning if its forecast goes on in the next. */
export function refuseSplitForecast(text: string): void {
  if (/END PART/.test(text) && !/^[ \t]*REMARKS:/m.test(text)) {
    throw new TextCutError("a part of a split text without the end of its forecast");
  }
}

/** Where the whole rows of a table end. A last row without its line end is none: its last number may lack digits. */
export function tableEnd(text: string): { end: number; isCut?: true } {
  const end = text.lastIndexOf("\n") + 1;
  return text.slice(end).trim() === "" ? { end } : { end, isCut: true };
}

/** The problem of a partial row. */
export const PARTIAL_ROW = "cut: the last row has no line end, and is left out";

/**
 * Comments, blank lines and the marks of transmission (SOH, `ZCZC …`, a sequence number) before a text, as blank lines: the
 * numbers of the lines stay.
 */
export function withoutPreamble(text: string): string {
  let from = text.startsWith("\uFEFF") ? 1 : 0;
  let lines = 0;
  for (; from < text.length; lines++) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    const line = text.slice(from, Math.min(end, from + MAX_PREAMBLE_LINE)).trim();
    if (!PREAMBLE.test(line)) break;
    from = end + 1;
  }
  return "\n".repeat(lines) + text.slice(from);
}

const MAX_PREAMBLE_LINE = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: SOH begins a message of the WMO's network
const PREAMBLE = /^(?:\u0001?|\u0001?\d{3,5}|ZCZC\b.*|#.*)$/;
