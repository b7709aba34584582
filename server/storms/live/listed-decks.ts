import { DAY_S } from "#lib/time.ts";
import { instantOf, monthOf } from "#server/storms/parse/report.ts";

const DECK = /href="(b(?:al|ep|cp|wp|io|sh|sl)\d{2}\d{4}\.dat)"([^\n]{0,300})/gi;
const ISO = /(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)/;
const NAMED = /(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d):(\d\d)/;

/** Decks of storms that are over stay in their folder for the season. */
const RECENT_S = 2 * DAY_S;

/**
 * Names of the best tracks in a web server's list of files that changed within two days; one without a date counts.
 *
 * @param now Unix seconds.
 */
export function listedDecks(html: string, now: number): string[] {
  const names = new Set<string>();
  for (const [, name, rest] of html.matchAll(DECK)) {
    const changed = dateIn(rest!);
    if (changed === undefined || now - changed <= RECENT_S) names.add(name!.toLowerCase());
  }
  return [...names].sort();
}

/** Whether a page is a whole list of files: a page of an error or of a robot check is none. */
export function isFileList(html: string): boolean {
  return /<title>Index of|<h1>Index of|Parent Directory/i.test(html) && html.trimEnd().endsWith("</html>");
}

function dateIn(text: string): number | undefined {
  const iso = ISO.exec(text);
  const named = NAMED.exec(text);
  const time = iso
    ? instantOf(Number(iso[1]), Number(iso[2]), Number(iso[3]), Number(iso[4]), Number(iso[5]))
    : named
      ? instantOf(Number(named[3]), monthOf(named[2]), Number(named[1]), Number(named[4]), Number(named[5]))
      : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
