import { ALERT_LAPSED_S, type InvestAlert, type Parsed } from "./bulletin.ts";
import { MAX_AHEAD_S } from "./parse/message.ts";
import type { FormationAlert, StormArea, StormDevelopment, StormEntry, StormOutlook } from "./schema.ts";
import { HOUR_S } from "./time.ts";

/** Areas of interest of a feed, as they are stored. */
export interface AreaSnapshot {
  /** The newest outlook of each basin, ordered by basin. */
  outlooks: StormOutlook[];
  /** The newest formation alert of each invest, or its cancellation. */
  alerts: InvestAlert[];
}

export const noAreas: AreaSnapshot = { outlooks: [], alerts: [] };

/** Outlooks come every 6 to 24 hours. An older one says nothing of today: off season the last one stays in the mirror. */
const MAX_OUTLOOK_AGE_S = 48 * HOUR_S;

/**
 * NHC issues the areas some minutes before or after its text. Areas that are further apart in time belong to another text.
 */
const SAME_ISSUE_S = 2 * HOUR_S;

/** A drawing belongs to the texts until the next regular outlook, which comes 6 h later and is drawn some time after it. */
const MAX_DRAWING_AGE_S = 8 * HOUR_S;

/**
 * Returns the outlooks and alerts in force. Those of the refresh before stay while no newer one is received: a text that is
 * missing or cut off takes nothing back.
 *
 * @param now Weather clock, Unix seconds.
 */
export function areasOf(parsed: readonly Parsed[], previous: AreaSnapshot, now: number): AreaSnapshot {
  const isPast = (issued: number) => issued <= now + MAX_AHEAD_S;
  const outlooks = [...previous.outlooks, ...parsed.flatMap(({ outlook }) => outlook ?? [])].filter(
    ({ issued_at }) => isPast(issued_at) && now - issued_at <= MAX_OUTLOOK_AGE_S,
  );
  const alerts = [...previous.alerts, ...parsed.flatMap(({ alert }) => alert ?? [])].filter(
    ({ issued, alert }) => isPast(issued) && now <= (alert ? alertLapsesAt(alert) : issued + 24 * HOUR_S),
  );
  return {
    outlooks: [...Map.groupBy(outlooks, ({ basins }) => basins[0] ?? "").entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, group]) => newestOutlook(group)),
    alerts: [...Map.groupBy(alerts, ({ storm }) => storm).values()].map((group) => group.reduce(newerAlert)),
  };
}

/**
 * The newer of two alerts of an invest. If both were issued in the same minute, a cancellation wins; if neither or both
 * are cancellations, the second alert wins.
 */
function newerAlert(one: InvestAlert, other: InvestAlert): InvestAlert {
  if (other.issued !== one.issued) return other.issued > one.issued ? other : one;
  return !other.alert || one.alert !== null ? other : one;
}

/** The time at which an alert lapses, after its end and the grace period, Unix seconds. */
export function alertLapsesAt({ valid_until }: FormationAlert): number {
  return valid_until + ALERT_LAPSED_S;
}

/** An outlook's statement on an invest counts until this time, Unix seconds. */
export function developmentLapsesAt({ issued_at }: Pick<StormDevelopment, "issued_at">): number {
  return issued_at + MAX_OUTLOOK_AGE_S;
}

/** The next time at which an outlook becomes too old, Unix seconds; infinite if there is none. */
export function nextAreaAge({ outlooks }: AreaSnapshot, now: number): number {
  const times = outlooks.map((outlook) => developmentLapsesAt(outlook) + 1);
  return Math.min(Number.POSITIVE_INFINITY, ...times.filter((time) => time > now));
}

/**
 * The newest outlook of a basin. A drawn one of the same issue replaces a text that says the same. A newer text, such as a
 * special outlook, has its own chances, and takes the place and the polygon from the areas that were drawn before it.
 */
function newestOutlook(group: readonly StormOutlook[]): StormOutlook {
  const newest = latestOf(group);
  const drawn = group.filter(
    (each) =>
      each.product.startsWith("gtwo") &&
      newest.issued_at - each.issued_at <= SAME_ISSUE_S &&
      chancesOf(each) === chancesOf(newest),
  );
  if (drawn.length > 0) return latestOf(drawn);
  return { ...newest, areas: newest.areas.map((area) => withDrawing(area, newest, group)) };
}

function latestOf(outlooks: readonly StormOutlook[]): StormOutlook {
  return outlooks.reduce((latest, next) => (next.issued_at >= latest.issued_at ? next : latest));
}

function chancesOf({ areas }: StormOutlook): string {
  return areas.map(chanceOf).sort().join("\n");
}

function chanceOf({ storm_id, percent_48h, percent_7d, likelihood }: StormArea): string {
  return [storm_id, percent_48h, percent_7d, likelihood].join(" ");
}

/** Gives an area without a place the newest drawing of it, and the time of that drawing. */
function withDrawing(
  area: StormArea,
  { issued_at }: StormOutlook,
  group: readonly StormOutlook[],
): StormArea {
  if (area.place || area.polygon) return area;
  const drawings = group.flatMap((outlook) =>
    outlook.areas.flatMap((drawn) => {
      const drawn_at = drawn.drawn_at ?? outlook.issued_at;
      const isOfUse = (drawn.place || drawn.polygon) && issued_at - drawn_at <= MAX_DRAWING_AGE_S;
      return isOfUse && isSameArea(drawn, area)
        ? [{ place: drawn.place, polygon: drawn.polygon, drawn_at }]
        : [];
    }),
  );
  const [first] = drawings.sort((one, other) => other.drawn_at - one.drawn_at);
  return first ? { ...area, ...first } : area;
}

/** Numbers tell invests apart. Areas without a number are the same if nothing that is said of them has changed. */
function isSameArea(one: StormArea, other: StormArea): boolean {
  if (one.storm_id !== null || other.storm_id !== null) return one.storm_id === other.storm_id;
  return one.name !== null && one.name === other.name && chanceOf(one) === chanceOf(other);
}

type Linked = Pick<StormEntry, "id" | "is_invest" | "is_active" | "aliases">;

/**
 * Returns the outlooks with links only to invests that have an entry, by the id of the entry. Over New Year texts name the
 * season that has begun, and the invest keeps the other.
 */
export function linkedOutlooks(
  outlooks: readonly StormOutlook[],
  entries: readonly Linked[],
): StormOutlook[] {
  const invests = entries.filter(({ is_invest, is_active }) => is_invest && is_active);
  const taken = new Set(entries.map(({ id }) => id));
  const published = new Map(invests.flatMap((entry) => idsOf(entry, taken).map((id) => [id, entry.id])));
  return outlooks.map((outlook) => ({
    ...outlook,
    areas: outlook.areas.map((area) => {
      if (area.storm_id === null) return area;
      const id = published.get(area.storm_id);
      return id === undefined ? { ...area, storm_id: null } : { ...area, id, storm_id: id };
    }),
  }));
}

/** The ids under which texts name an entry: its own, and the aliases that are not the own id of another entry. */
function idsOf({ id, aliases = [] }: Pick<Linked, "id" | "aliases">, taken: ReadonlySet<string>): string[] {
  return [id, ...aliases.filter((alias) => !taken.has(alias))];
}

/**
 * Fields that outlooks and alerts add to the entry of an invest; none for other entries.
 *
 * @param taken Ids of all entries: an alias that is one of them belongs to that entry.
 */
export function areaFields(
  entry: Linked,
  { outlooks, alerts }: AreaSnapshot,
  taken: ReadonlySet<string> = new Set(),
): Pick<StormEntry, "development" | "formation_alert"> {
  if (!entry.is_invest || !entry.is_active) return {};
  const ids = idsOf(entry, taken);
  const own = alerts.filter(({ storm }) => ids.includes(storm));
  const alert = own.length > 0 ? own.reduce(newerAlert).alert : null;
  const stated: StormDevelopment[] = outlooks.flatMap(({ issued_at, areas }) =>
    areas
      .filter(({ storm_id }) => storm_id !== null && ids.includes(storm_id))
      .map(({ likelihood, within_hours, percent_48h, percent_7d }) => ({
        likelihood,
        within_hours,
        percent_48h,
        percent_7d,
        issued_at,
      })),
  );
  if (alert?.likelihood) {
    const { likelihood, issued_at } = alert;
    stated.push({ likelihood, within_hours: 24, percent_48h: null, percent_7d: null, issued_at });
  }
  const development = stated.reduce<StormDevelopment | undefined>(
    (newest, next) => (newest && newest.issued_at >= next.issued_at ? newest : next),
    undefined,
  );
  return { ...(development && { development }), ...(alert && { formation_alert: alert }) };
}
