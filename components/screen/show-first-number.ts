import { firstKey, sendFirst } from "#components/api-client/first-request.ts";
import { manifestPath } from "#components/map/manifest-path.ts";
import { conditionsAt, pointsBody } from "#components/point/conditions-at.ts";
import { firstNumberHtml } from "#components/point/first-number-html.ts";
import { zoneOf } from "#components/view-state/civil.ts";
import { initialPlace, namesPlace } from "#components/view-state/first-view.ts";
import { paintedBy, requestedLayer } from "#components/view-state/overlays.ts";
import {
  answeredTime,
  nearestIndex,
  offeredInstants,
  parseShownTime,
  resolveShownTime,
} from "#components/view-state/timeline.ts";
import { parsePlace, parseUnits } from "#components/view-state/view-text.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import type { PointResponse } from "#lib/contract/point.ts";
import type { Place } from "#lib/geo/sphere.ts";
import type { Words } from "#lib/messages/words.ts";
import { parseInstant } from "#lib/time.ts";

/** Words of the first conditions, the only ones in this script. */
export type FirstWords = Pick<Words, "language" | "catalog" | "dates" | "point" | "ui">;

/**
 * Sends the page's first requests, and writes the conditions at the sampled point into the page, which the
 * server sends without them. It runs before the page's own scripts, which on a bad connection arrive seconds
 * later and use the same replies (`firstSent`).
 *
 * @param given The only words in the bundle of this script (scripts/first-number.mjs).
 * @param synthetic Text shown for synthetic data.
 */
export async function showFirstNumber(given: FirstWords, synthetic: string): Promise<void> {
  const { search } = location;
  const key = firstKey(document.documentElement.dataset.guests !== undefined);
  if (key === undefined) return;
  const manifest = await jsonOf(sendFirst(manifestPath(paintedBy(requestedLayer(search))), key));
  const place = sampledIn(search);
  const query = new URLSearchParams(search);
  const time = manifest && timeOf(manifest, query.get("t"));
  // The ship's time zone is known only to the page itself.
  const tz = query.get("tz") === "local" ? "local" : "utc";
  if (!place || time === undefined || query.get("tz") === "ship") return;
  const reply = await jsonOf(sendFirst("/MetOcean", key, pointsBody(place, [time], variableNames)));
  const found = conditionsAt((reply as Partial<PointResponse> | undefined)?.result, time);
  if (!found) return;
  const zone = zoneOf(tz, place.longitude, given as Words);
  const notice = manifest.synthetic === true ? synthetic : undefined;
  const html = firstNumberHtml(found.conditions, place, time, parseUnits(query.get("u") ?? ""), zone, notice);
  if (document.readyState === "loading")
    await new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
  // The page is hydrated and has its own values.
  if (globalThis.firstNumber === null) return;
  globalThis.firstNumber = { place, time, html };
  for (const slot of document.querySelectorAll<HTMLElement>("[data-first-number]"))
    slot.innerHTML = html[slot.dataset.firstNumber as keyof typeof html];
}

/** Body of a reply that the page will read too; undefined if there is none. */
async function jsonOf(coming: Promise<Response>) {
  const reply = await coming;
  return reply.status === 200 ? reply.clone().json() : undefined;
}

/** The place whose conditions the panel of a view shows first; undefined if it shows something else. */
function sampledIn(search: string): Place | null | undefined {
  const query = new URLSearchParams(search);
  if (["tab", "storm", "tide", "film", "plan", "cmp"].some((name) => query.has(name))) return undefined;
  const given = query.get("p");
  if (given !== null) return parsePlace(given);
  // The same rule as in components/screen/map-region.tsx.
  return namesPlace(search) ? undefined : initialPlace(new Date().getTimezoneOffset());
}

/** The time that the map will have, Unix seconds. @param asked Parameter `t`. */
function timeOf(manifest: FieldManifest, asked: string | null): number | undefined {
  const now = parseInstant(manifest.now);
  const shown = asked === null ? null : parseShownTime(asked);
  if (shown !== null) return answeredTime(resolveShownTime(shown, now), now);
  const instants = offeredInstants(manifest, undefined);
  return instants[nearestIndex(instants, now)];
}
