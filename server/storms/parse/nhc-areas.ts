import type { StormOutlook } from "#lib/contract/storm-outlook.ts";
import { readDecimal } from "#lib/decimal.ts";
import { drawnRing } from "#lib/geo/drawn-ring.ts";
import { distanceKm, type Place } from "#lib/geo/sphere.ts";
import { unwrapped } from "#lib/geo/unwrap.ts";
import { toWire } from "#lib/storms/wire.ts";
import { listOf, propertyOf, textOf } from "./json.ts";
import { TextRefusedError } from "./jtwc-text.ts";
import { likelihoodOf, nhcArea, percentOf } from "./nhc-outlook.ts";
import { instantOf, monthOf, wrapped } from "./report.ts";
import { contentOf, xmlReader } from "./xml.ts";

/** Vertices of a published area, the repeated first included; NHC's own have 300. */
const MAX_VERTICES = 120;

/** Vertices of an area, its length around, km, and areas of an outlook: several times those of the largest. */
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
  const document = propertyOf(propertyOf(readKml(text), "kml"), "Document");
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
  /** Name and description. */
  words: string;
  ring: Place[] | undefined;
  point: Place | undefined;
}

/** Placemarks of a document and of its folders, in whichever depth. */
function placemarksOf(container: unknown): Placemark[] {
  const own = listOf(propertyOf(container, "Placemark")).map((mark): Placemark => {
    const data = listOf(propertyOf(propertyOf(mark, "ExtendedData"), "Data")).flatMap((each) => {
      const [key, value] = [textOf(propertyOf(each, "@name")), contentOf(propertyOf(each, "value"))];
      return key !== undefined && value !== undefined ? [[key, value] as const] : [];
    });
    const ring = propertyOf(
      propertyOf(listOf(propertyOf(mark, "Polygon"))[0], "outerBoundaryIs"),
      "LinearRing",
    );
    return {
      data: new Map(data),
      words: `${contentOf(propertyOf(mark, "name")) ?? ""} ${contentOf(propertyOf(mark, "description")) ?? ""}`,
      ring: ringOf(placesOf(propertyOf(ring, "coordinates"))),
      point: placesOf(propertyOf(propertyOf(mark, "Point"), "coordinates"))[0],
    };
  });
  return [...own, ...listOf(propertyOf(container, "Folder")).flatMap(placemarksOf)];
}

/** `-90.0,10.0,0 -91.0,11.0,0`: longitude, latitude, height. Longitudes beyond ±180 continue across the antimeridian. */
function placesOf(coordinates: unknown): Place[] {
  const text = contentOf(coordinates) ?? "";
  return text.split(/\s+/, MAX_READ).flatMap((triple) => {
    const [longitude = Number.NaN, latitude = Number.NaN] = triple.split(",", 2).map(readDecimal);
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360
      ? [{ latitude, longitude: wrapped(longitude) }]
      : [];
  });
}

/** A closed, counter-clockwise ring with few vertices; undefined where the places are none, or no area of an outlook. */
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
