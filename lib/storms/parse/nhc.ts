import { drawnRing, unwrapped } from "@open-metocean/geo/ring";
import { distanceKm, type Place } from "@open-metocean/geo/sphere";
import { bareFix, emptyReport, type Parsed, type Problem, type Report, stormId } from "../bulletin.ts";
import { type Likelihood, likelihoods } from "../providers.ts";
import { MAX_AREA_NAME, type StormArea, type StormOutlook } from "../schema.ts";
import { toWire } from "../wire.ts";
import { quoted } from "./deck.ts";
import {
  decimal,
  headingOf,
  instantOf,
  isNumberWord,
  largestOf,
  monthOf,
  noonOf,
  paragraphOf,
  pressure,
  seasonOf,
  stormName,
  TextCutError,
  TextRefusedError,
  wrapped,
} from "./message.ts";
import { contentOf, listOf, propertyOf, textOf, xmlReader } from "./structured.ts";

/** Hours of the longer of the two periods, to which the word refers. */
const SEVEN_DAYS_H = 168;

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
 * cyclone forms in 48 hours and in 7 days. They state no positions; `readNhcAreas` reads the areas themselves.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
export function readNhcOutlook(text: string, now: number): StormOutlook {
  const body = text.replace(NHC_OUTLOOK, "");
  const [, month, day, year] =
    /\b\d{3,4} [AP]M [A-Z]{3,4} [A-Z]{3} ([A-Z]{3}) (\d{1,2}) (\d{4})/i.exec(body) ?? [];
  const near = noonOf(year, month, day) ?? now;
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

/** An area of NHC in the published form, without a place and a polygon. @param key Its id where it is not an invest. */
function nhcArea(key: string, issued: number, of: NhcArea): StormArea {
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
 * NHC's word; without a known one, NHC's own classes of the probability within 7 days: low below 40 %, high above 60 %.
 *
 * @throws TextRefusedError where neither is stated: an unknown likelihood is not a low one.
 */
function likelihoodOf(word: string | undefined, percent7d: number | null): Likelihood {
  const known = likelihoods.find((likelihood) => likelihood === word?.trim().toLowerCase());
  if (known) return known;
  if (percent7d === null) throw new TextRefusedError("an area without a likelihood");
  return percent7d < 40 ? "low" : percent7d <= 60 ? "medium" : "high";
}

/** `60`, `60%`, `Near 0%`; null for anything else. */
function percentOf(text: string | undefined): number | null {
  const digits = /\d{1,3}/.exec(text ?? "")?.[0];
  return digits !== undefined && Number(digits) <= 100 ? Number(digits) : null;
}

/** Vertices of a published area, the repeated first included; NHC's own have 300. */
const MAX_VERTICES = 120;

/**
 * Limits on vertices of an area, on the length of its edge, km, and on areas of an outlook: several times those of the
 * largest.
 */
const MAX_READ = 1000;
const MAX_AROUND_KM = 40_000;
const MAX_AREAS = 50;

const repeated = new Set(["Placemark", "Folder", "Data", "Polygon"]);

const readKml = xmlReader("KML", (name) => repeated.has(name));

const basins: readonly [RegExp, Pick<StormOutlook, "product" | "agency" | "basins">][] = [
  [/\bAtlantic\b/i, { product: "gtwo_atl", agency: "nhc", basins: ["north_atlantic"] }],
  [/\bEastern North Pacific\b/i, { product: "gtwo_pac", agency: "nhc", basins: ["east_pacific"] }],
  [/\bCentral North Pacific\b/i, { product: "gtwo_cpac", agency: "cphc", basins: ["central_pacific"] }],
];

/**
 * Reads the areas of NHC's graphical tropical weather outlook (the KML inside gtwo_atl.kmz and gtwo_pac.kmz). Each
 * placemark names its disturbance by number: a polygon where a cyclone may form, and a point where the disturbance is now.
 *
 * @throws TextRefusedError for another KML, and for one that is not well-formed: a cut one is not.
 */
export function readNhcAreas(text: string): StormOutlook {
  const document = propertyOf(readKml(text), "kml", "Document");
  const name = contentOf(propertyOf(document, "name")) ?? "";
  const basin = basins.find(([pattern]) => pattern.test(name))?.[1];
  const issued = issuedIn(name);
  if (!basin || Number.isNaN(issued)) {
    throw new TextRefusedError("a KML that is no outlook: its name has no basin and no time of issue");
  }
  const marks = placemarksOf(document);
  const numbers = [...new Set(marks.flatMap(({ data }) => data.get("Disturbance") ?? []))];
  if (numbers.length > MAX_AREAS) throw new TextRefusedError(`an outlook with more than ${MAX_AREAS} areas`);
  const isQuiet = marks.some(({ words }) => /formation is not expected/i.test(words));
  if (numbers.length === 0 && !isQuiet) {
    throw new TextRefusedError("an outlook that names no area, and does not say that none is expected");
  }
  const areas = numbers.map((number) => {
    const of = marks.filter(({ data }) => data.get("Disturbance") === number);
    const stated = (key: string) => of.map(({ data }) => data.get(key)).find((value) => value !== undefined);
    const discussion = (stated("Discussion") ?? "")
      .replaceAll(/<[^>]{0,200}>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    const [head, title] = /^(?:\d{1,2}\. )?([^:.]{3,120}):\s*/.exec(discussion) ?? [];
    const polygon = of.map(({ ring }) => ring).find((ring) => ring !== undefined);
    const place = of.map(({ point }) => point).find((point) => point !== undefined);
    const percent7d = percentOf(stated("7day_percentage"));
    return {
      ...nhcArea(`${basin.product}-${number.slice(0, 3)}`, issued, {
        title: title ?? null,
        text: discussion.slice(head?.length ?? 0).replaceAll(/\s*\* Formation chance through.*$/gi, ""),
        likelihood: likelihoodOf(stated("7day_category"), percent7d),
        percent48h: percentOf(stated("2day_percentage")),
        percent7d,
      }),
      polygon: polygon?.map(toWire) ?? null,
      place: place ? toWire(place) : null,
    };
  });
  return { ...basin, issued_at: issued, valid_until: null, areas, systems: [] };
}

/** `Wed Aug 19 05:25:08 2026` in UTC. @returns Unix seconds; NaN without such a time. */
function issuedIn(name: string): number {
  const match = /\b([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):\d\d (\d{4})\b/.exec(name);
  if (!match) return Number.NaN;
  const [, month, day, hour, minute, year] = match;
  return instantOf(Number(year), monthOf(month), Number(day), Number(hour), Number(minute));
}

interface Placemark {
  data: ReadonlyMap<string, string>;
  /** Name and description of the placemark. */
  words: string;
  ring: Place[] | undefined;
  point: Place | undefined;
}

/** Placemarks of a document and of its folders, at any depth. */
function placemarksOf(container: unknown): Placemark[] {
  const own = listOf(propertyOf(container, "Placemark")).map((mark): Placemark => {
    const data = listOf(propertyOf(mark, "ExtendedData", "Data")).flatMap((each) => {
      const [key, value] = [textOf(propertyOf(each, "@name")), contentOf(propertyOf(each, "value"))];
      return key !== undefined && value !== undefined ? [[key, value] as const] : [];
    });
    const polygon = listOf(propertyOf(mark, "Polygon"))[0];
    return {
      data: new Map(data),
      words: `${contentOf(propertyOf(mark, "name")) ?? ""} ${contentOf(propertyOf(mark, "description")) ?? ""}`,
      ring: ringOf(placesOf(propertyOf(polygon, "outerBoundaryIs", "LinearRing", "coordinates"))),
      point: placesOf(propertyOf(mark, "Point", "coordinates"))[0],
    };
  });
  return [...own, ...listOf(propertyOf(container, "Folder")).flatMap(placemarksOf)];
}

/** `-90.0,10.0,0 -91.0,11.0,0`: longitude, latitude, height. Longitudes beyond ±180 continue across the antimeridian. */
function placesOf(coordinates: unknown): Place[] {
  const text = contentOf(coordinates) ?? "";
  return text.split(/\s+/, MAX_READ).flatMap((triple) => {
    const [longitude = Number.NaN, latitude = Number.NaN] = triple.split(",", 2).map(coordinate);
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360
      ? [{ latitude, longitude: wrapped(longitude) }]
      : [];
  });
}

/** A closed, counter-clockwise ring with few vertices; undefined where the places do not form an area of an outlook. */
function ringOf(places: readonly Place[]): Place[] | undefined {
  const corners = places.filter((place, index) => {
    const before = places[index === 0 ? places.length - 1 : index - 1]!;
    return place.latitude !== before.latitude || place.longitude !== before.longitude;
  });
  if (corners.length < 3) return undefined;
  const x = unwrapped([...corners, corners[0]!].map(({ longitude }) => longitude));
  const twiceArea = corners.reduce((sum, { latitude }, index) => {
    const next = corners[(index + 1) % corners.length]!;
    return sum + x[index]! * next.latitude - x[index + 1]! * latitude;
  }, 0);
  const around = corners.reduce(
    (sum, corner, index) => sum + distanceKm(corner, corners[(index + 1) % corners.length]!),
    0,
  );
  if (twiceArea === 0 || around > MAX_AROUND_KM) return undefined;
  return drawnRing(twiceArea > 0 ? corners : corners.toReversed(), MAX_VERTICES) ?? undefined;
}

/** ATCF codes of NHC's classifications: its STS is a subtropical storm, its PTC one that may form. */
const stages: Readonly<Record<string, string>> = {
  TD: "TD",
  STD: "SD",
  TS: "TS",
  STS: "SS",
  HU: "HU",
  TY: "TY",
  PTC: "DB",
  PC: "PT",
  PT: "PT",
};

/** Reads NHC's CurrentStorms.json: the active storms of AL, EP and CP with their position at the last advisory. */
export function parseCurrentStorms(content: unknown): Parsed {
  const storms = propertyOf(content, "activeStorms");
  if (!Array.isArray(storms)) throw new TextRefusedError("no list of active storms");
  const problems: Problem[] = [];
  const reports: Report[] = [];
  const keys: string[] = [];
  for (const [index, storm] of listOf(storms).entries()) {
    const report = reportOf(storm);
    if (typeof report === "string") problems.push({ line: 0, reason: `storm ${index + 1}: ${report}` });
    else reports.push(report);
    const id = textOf(propertyOf(storm, "id"))?.toUpperCase();
    if (id !== undefined) keys.push(id);
  }
  const updated = largestOf(reports.map(({ issued }) => issued));
  const listed = { provider: "jtwc", basins: ["AL", "EP", "CP"], keys } as const;
  return { reports, problems, listed: updated === null ? listed : { ...listed, updated } };
}

function reportOf(storm: unknown): Report | string {
  const id = textOf(propertyOf(storm, "id")) ?? "";
  const match = /^(al|ep|cp)(\d\d)(\d{4})$/i.exec(id);
  if (!match || Number(match[2]) === 0) return `no id of NHC: "${quoted(id)}"`;
  const basin = match[1]!.toUpperCase();
  const time = Math.floor(Date.parse(textOf(propertyOf(storm, "lastUpdate")) ?? "") / 1000);
  if (Number.isNaN(time)) return "no time of the last update";
  const latitude = decimal(propertyOf(storm, "latitudeNumeric"), -90, 90);
  const longitude = decimal(propertyOf(storm, "longitudeNumeric"), -180, 180);
  if (latitude === null || longitude === null) return "no position";
  const fix = {
    ...bareFix(time, latitude, longitude),
    vmaxKt: decimal(propertyOf(storm, "intensity"), 1, 250),
    mslpHpa: pressure(propertyOf(storm, "pressure")),
    stage: stages[textOf(propertyOf(storm, "classification")) ?? ""] ?? null,
  };
  const name = textOf(propertyOf(storm, "name")) ?? "";
  return emptyReport("advisory list", {
    provider: "jtwc",
    basin,
    number: Number(match[2]),
    season: Number(match[3]),
    issued: time,
    name: stormName(name),
    ...(isNumberWord(name) && { isUnnamed: true }),
    observed: [fix],
  });
}

/** A coordinate, degrees; NaN for a text that is not a decimal number. */
function coordinate(text: string): number {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}
