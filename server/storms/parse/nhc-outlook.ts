import { type Likelihood, likelihoods } from "#lib/contract/likelihoods.ts";
import { MAX_AREA_NAME, type StormArea, type StormOutlook } from "#lib/contract/storm-outlook.ts";
import { stormId } from "#server/storms/identity.ts";
import { paragraphOf } from "./development.ts";
import { TextCutError } from "./ended.ts";
import { headingOf, TextRefusedError } from "./jtwc-text.ts";
import { monthOf, noonOf, seasonOf } from "./report.ts";

/** Hours of the longer of the two periods, to which the word refers. */
export const SEVEN_DAYS_H = 168;

const products: Readonly<Record<string, Pick<StormOutlook, "agency" | "basins">>> = {
  ABNT20: { agency: "nhc", basins: ["north_atlantic"] },
  ABPZ20: { agency: "nhc", basins: ["east_pacific"] },
  ACPN50: { agency: "cphc", basins: ["central_pacific"] },
};

/** Whether a text is a tropical weather outlook of NHC or CPHC. Real ones have a number in a line of its own above the heading. */
export const NHC_OUTLOOK = /^(?:ZCZC[^\n]{0,40}\n)?\s*(?:\d{3}\s+)?(?=AB(?:NT|PZ)20 KNHC |ACPN50 PHFO )/i;

const CHANCES =
  /\* formation chance through 48 hours\.{2,}(?:low|medium|high)\.{2,}(?:near )?(\d{1,3}) percent\.?\s+\* formation chance through 7 days\.{2,}(low|medium|high)\.{2,}(?:near )?(\d{1,3}) percent/gi;

/**
 * Reads the tropical weather outlooks of NHC (ABNT20, ABPZ20) and CPHC (ACPN50): areas with the chance that a tropical
 * cyclone forms in 48 hours and in 7 days. They state no positions; `nhc-areas.ts` reads the areas themselves.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
export function readNhcOutlook(text: string, now: number): StormOutlook {
  const body = text.replace(NHC_OUTLOOK, "");
  const dated = /\b\d{3,4} [AP]M [A-Z]{3,4} [A-Z]{3} ([A-Z]{3}) (\d{1,2}) (\d{4})/i.exec(body);
  const month = monthOf(dated?.[1]);
  const near = dated && month ? noonOf(Number(dated[3]), month, Number(dated[2])) : now;
  const { slot, issued } = headingOf(body.toUpperCase(), near);
  const end = body.indexOf("$$");
  if (end < 0) throw new TextCutError("no $$ ends the outlook");
  const chances = [...body.slice(0, end).matchAll(CHANCES)];
  const stated = body.match(/\* formation chance through/gi)?.length ?? 0;
  if (stated !== 2 * chances.length) {
    throw new TextRefusedError("an outlook whose chances cannot be read: two are expected for each area");
  }
  if (
    chances.length === 0 &&
    !/formation is not expected|no tropical cyclones? (?:is|are) expected/i.test(body)
  ) {
    throw new TextRefusedError("an outlook that names no area, and does not say that none is expected");
  }
  let from = 0;
  const areas = chances.map((match, index) => {
    const paragraph = body.slice(from, match.index);
    from = match.index + match[0].length;
    const [, in48h, word, in7days] = match;
    return nhcArea(`${slot}-${index + 1}`, issued, {
      ...titledParagraph(paragraph),
      likelihood: likelihoodOf(word, percentOf(in7days)),
      percent48h: percentOf(in48h),
      percent7d: percentOf(in7days),
    });
  });
  return { product: slot, ...products[slot]!, issued_at: issued, valid_until: null, areas, systems: [] };
}

interface NhcArea {
  title: string | null;
  text: string;
  likelihood: Likelihood;
  percent48h: number | null;
  percent7d: number | null;
}

/** An area of NHC in the published form, without a place and a polygon. @param key Its id where it is no invest. */
export function nhcArea(key: string, issued: number, of: NhcArea): StormArea {
  const [, basin, digits] = /\((AL|EP|CP|WP)(9\d)(?:\/[A-Z]{2}\d\d)?\)/i.exec(of.title ?? "") ?? [];
  const number = Number(digits);
  const id = basin && stormId({ basin: basin.toUpperCase(), number, season: seasonOf(basin, issued) });
  const name = of.title?.replace(/\s*\([A-Z]{2}\d\d[^)]{0,20}\)\s*$/i, "").slice(0, MAX_AREA_NAME);
  return {
    id: id ?? key,
    storm_id: id ?? null,
    designation: basin ? `${digits}${basin[0]!.toUpperCase() === "A" ? "L" : basin[0]!.toUpperCase()}` : null,
    name: name || null,
    likelihood: of.likelihood,
    within_hours: SEVEN_DAYS_H,
    percent_48h: of.percent48h,
    percent_7d: of.percent7d,
    place: null,
    polygon: null,
    winds_kt: null,
    mslp_hpa: null,
    text: paragraphOf(of.text),
  };
}

/** Title and text of the last paragraph before the chances. The title is a line of its own that ends with a colon. */
function titledParagraph(paragraph: string): { title: string | null; text: string } {
  const titles = [...paragraph.matchAll(/^[ \t]*(?:\d{1,2}\. )?([^:\n]{3,120}):[ \t]*\r?$/gm)];
  const title = titles.at(-1);
  const text = title
    ? paragraph.slice(title.index + title[0].length)
    : (paragraph.split(/\n\s*\n/).at(-1) ?? "");
  return { title: title?.[1]?.trim() ?? null, text: text.replaceAll(/\s+/g, " ").trim() };
}

/**
 * NHC's word; without a known one NHC's own classes of the probability within 7 days: low below 40 %, high above 60 %.
 *
 * @throws TextRefusedError where neither is stated: an unknown likelihood is not a low one.
 */
export function likelihoodOf(word: string | undefined, percent7d: number | null): Likelihood {
  const known = likelihoods.find((likelihood) => likelihood === word?.trim().toLowerCase());
  if (known) return known;
  if (percent7d === null) throw new TextRefusedError("an area without a likelihood");
  return percent7d < 40 ? "low" : percent7d <= 60 ? "medium" : "high";
}

/** `60`, `60%`, `Near 0%`; null for anything else. */
export function percentOf(text: string | undefined): number | null {
  const digits = /\d{1,3}/.exec(text ?? "")?.[0];
  return digits !== undefined && Number(digits) <= 100 ? Number(digits) : null;
}
