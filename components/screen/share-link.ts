import { type ShownTime, writeShownTime } from "#components/view-state/timeline.ts";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S } from "#lib/time.ts";

/**
 * An address with a time, and without its fragment: a key is brought by one.
 *
 * @param address Of the page.
 */
export function linkAt(address: string, time: ShownTime): string {
  const link = new URL(address);
  link.hash = "";
  link.searchParams.set("t", writeShownTime(time));
  // As the page itself writes them.
  return link.href.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** What a link with an offset shows: `Always 18 h from now`. @param seconds After now. */
export function describeOffset(seconds: number, { screen: { link } }: Words): string {
  const hours = Math.round(seconds / HOUR_S);
  if (hours === 0) return link.now;
  return hours > 0 ? link.ahead({ hours }) : link.ago({ hours: -hours });
}
