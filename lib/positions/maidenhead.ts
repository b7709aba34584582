import type { Place } from "#lib/geo/sphere.ts";

/** Centre of a Maidenhead locator of six or eight signs, `IN78rl`; undefined for another text. */
export function maidenheadCentre(text: string): Place | undefined {
  const match = /^([A-R])([A-R])(\d)(\d)([A-X])([A-X])(?:(\d)(\d))?$/i.exec(text);
  if (!match) return undefined;
  const [fieldX, fieldY, x, y, subX, subY, fineX, fineY] = match.slice(1).map(ordinal);
  const fine = fineX !== undefined && fineY !== undefined;
  const [east, north] = fine ? [(fineX + 0.5) / 10, (fineY + 0.5) / 10] : [0.5, 0.5];
  return {
    longitude: -180 + 20 * fieldX! + 2 * x! + (subX! + east) / 12,
    latitude: -90 + 10 * fieldY! + y! + (subY! + north) / 24,
  };
}

/** A → 0, 7 → 7. */
function ordinal(sign: string | undefined): number | undefined {
  if (sign === undefined) return undefined;
  return /\d/.test(sign) ? Number(sign) : sign.toUpperCase().charCodeAt(0) - 65;
}
