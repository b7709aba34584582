/** Largest request body, bytes: of a synchronous request and of a task. */
export const bodyLimits = { sync: 2 * 2 ** 20, async: 32 * 2 ** 20 } as const;

/** Largest request body of a visitor without a key, bytes; the pages send less. */
export const guestBodyLimit = 128 * 1024;

/** A number of requests per period; the 429 body writes it as `10 per 1 minute`. */
export interface Limit {
  count: number;
  periodSeconds: number;
  /** Normal form, `<count> per <n> <unit>`. */
  text: string;
}

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;

const FORM = /^([1-9]\d{0,8}) per (?:([1-9]\d{0,3}) )?(second|minute|hour|day)s?$/;

/** The accepted form, as error messages state it. */
export const limitForm = '"<count> per <n> second|minute|hour|day", such as "600 per 1 minute"';

/**
 * Parses `600 per 1 minute`; the `1` is optional, the unit may be plural.
 *
 * @returns undefined if the text has another form.
 */
export function parseLimit(text: string): Limit | undefined {
  const match = FORM.exec(text.trim());
  if (!match) return undefined;
  const count = Number(match[1]);
  const periods = Number(match[2] ?? 1);
  const unit = match[3] as keyof typeof SECONDS;
  return { count, periodSeconds: periods * SECONDS[unit], text: `${count} per ${periods} ${unit}` };
}

/**
 * Part of the 503 message of a busy service when the request can be sent as a task. Clients look for it
 * because other failures have the same status.
 */
export const taskHasMoreTime = "A task has more time";

/** Error text of a reply 429. @param limit What is exceeded: "10 per 1 minute". */
export function rateLimitText(limit: string): string {
  return `Rate limit exceeded: ${limit}`;
}
