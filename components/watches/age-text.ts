import type { Words } from "#lib/messages/words.ts";

/** `12 min ago`. @param at ISO 8601. @param now Milliseconds. */
export function ageText(at: string, now: number, { dates }: Words): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return dates.justNow;
  if (minutes < 60) return dates.ago({ span: dates.minutes({ count: minutes }) });
  const hours = Math.floor(minutes / 60);
  return dates.ago({
    span: hours < 48 ? dates.hours({ count: hours }) : dates.daysLong({ count: Math.floor(hours / 24) }),
  });
}
