const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/;

/**
 * Reads `YYYY-MM-DDThh:mm:ssZ`, and nothing else.
 *
 * @returns Unix seconds; NaN when the text has another form or names no real instant (30 February, 24:00).
 */
export function parseInstant(text: string): number {
  if (!INSTANT.test(text)) return Number.NaN;
  const milliseconds = Date.parse(text);
  // Date.parse rolls 2026-02-30 over in some engines: a real instant prints as it was written.
  if (Number.isNaN(milliseconds) || formatInstant(milliseconds / 1000) !== text) return Number.NaN;
  return milliseconds / 1000;
}

/** Writes Unix seconds as `YYYY-MM-DDThh:mm:ssZ`. */
export function formatInstant(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/**
 * The same day and time of day, calendar months earlier; the last day of the month where that day does not exist.
 *
 * @param seconds Unix seconds.
 */
export function monthsBefore(seconds: number, months: number): number {
  const from = new Date(seconds * 1000);
  const day = from.getUTCDate();
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(day, lastDay));
  return to.getTime() / 1000;
}
