import type { Grib2Field } from "@open-metocean/grib2/sections";

/** A part of an ensemble: the member with a CF realization number, 0 for the control, or a statistic over all members. */
export type EnsemblePart = number | "mean" | "spread";

/** Codes of statistics over all members, each of which weighs the same (WMO code table 4.7). */
const statisticsByCode: ReadonlyMap<number, EnsemblePart> = new Map([
  [0, "mean"],
  [4, "spread"],
]);

/** The part of an ensemble that a field is; undefined for a deterministic forecast, "other" for any other statistic. */
export function partOfField({ ensemble }: Pick<Grib2Field, "ensemble">): EnsemblePart | "other" | undefined {
  if (!ensemble) return undefined;
  return ensemble.kind === "member" ? ensemble.number : (statisticsByCode.get(ensemble.code) ?? "other");
}

/**
 * Whether a field, or a line of an index, is of the wanted part. The control of an ensemble may be the deterministic
 * forecast of its model, as ECMWF's is.
 *
 * @param wanted Undefined for a deterministic forecast.
 */
export function isOfPart(
  found: EnsemblePart | "other" | undefined,
  wanted: EnsemblePart | undefined,
): boolean {
  return found === wanted || (wanted === 0 && found === undefined);
}

/** Describes a part for the operator: "member 7", "mean". */
export function partName(part: EnsemblePart): string {
  return typeof part === "number" ? `member ${part}` : part;
}
