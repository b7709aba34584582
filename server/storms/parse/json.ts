/** A property of a value that may be an object. */
export function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** A trimmed string, if it is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The entries of a value that may be a list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A number, or a string with one, within bounds; null for anything else. */
export function decimal(value: unknown, min: number, max: number): number | null {
  if (typeof value === "string" && !/^\s*-?\d{1,7}(?:\.\d{1,6})?\s*$/.test(value)) return null;
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return number >= min && number <= max ? number : null;
}
