import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { FormationAlert, StormDevelopment, StormOutlook } from "#lib/contract/storm-outlook.ts";
import type { InvestAlert, Parsed } from "#server/storms/parse/report.ts";

/** Areas of interest of a feed, as they are stored. */
export interface AreaSnapshot {
  /** The newest outlook of each basin, ordered by basin. */
  outlooks: StormOutlook[];
  /** The newest formation alert of each invest, or its cancellation. */
  alerts: InvestAlert[];
}

export const noAreas: AreaSnapshot = { outlooks: [], alerts: [] };

const HOUR_S = 3600;

/** Outlooks come every 6 to 24 hours. An older one says nothing of today: off season the last one stays in the mirror. */
const MAX_OUTLOOK_AGE_S = 48 * HOUR_S;

/** An alert stays for so long after its end: its successor is issued at that time and received later. */
const LAPSED_S = 6 * HOUR_S;

/** The areas of NHC are made with its text, some minutes before or after it. Older ones are not those of the text. */
const SAME_ISSUE_S = 2 * HOUR_S;

/** Clocks of agencies and of this machine differ a little. */
const CLOCK_TOLERANCE_S = HOUR_S;

/**
 * The outlooks and alerts in force. Those of the refresh before stay while no newer one is received: a text that is missing
 * or cut off takes nothing back.
 *
 * @param now Weather clock, Unix seconds.
 */
export function areasOf(parsed: readonly Parsed[], previous: AreaSnapshot, now: number): AreaSnapshot {
  const isPast = (issued: number) => issued <= now + CLOCK_TOLERANCE_S;
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

/** The newer of two alerts of an invest; of the same minute a cancellation, or else the other. */
function newerAlert(one: InvestAlert, other: InvestAlert): InvestAlert {
  if (other.issued !== one.issued) return other.issued > one.issued ? other : one;
  return !other.alert || one.alert !== null ? other : one;
}

/** When the last of an alert's time has passed, Unix seconds. */
export function alertLapsesAt({ valid_until }: FormationAlert): number {
  return valid_until + LAPSED_S;
}

/** When an outlook next becomes too old, Unix seconds; infinite if never. */
export function nextAreaAge({ outlooks }: AreaSnapshot, now: number): number {
  const times = outlooks.map(({ issued_at }) => issued_at + MAX_OUTLOOK_AGE_S + 1);
  return Math.min(Number.POSITIVE_INFINITY, ...times.filter((time) => time > now));
}

/** The newest outlook of a basin; of a text and its areas, the areas: they have all that the text has. */
function newestOutlook(group: readonly StormOutlook[]): StormOutlook {
  const newest = group.reduce((latest, next) => (next.issued_at >= latest.issued_at ? next : latest));
  const drawn = group.filter(
    ({ areas, product, issued_at }) =>
      product.startsWith("gtwo") &&
      newest.issued_at - issued_at <= SAME_ISSUE_S &&
      areas.length >= newest.areas.length,
  );
  return drawn.at(-1) ?? newest;
}

type Linked = Pick<StormEntry, "id" | "is_invest" | "is_active" | "aliases">;

/**
 * The outlooks with links only to invests that have an entry, by the id of the entry: over New Year texts name the season
 * that has begun, and the invest keeps the other.
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

/** Ids under which texts name an entry: its own, and aliases that are no other entry's own. */
function idsOf({ id, aliases = [] }: Pick<Linked, "id" | "aliases">, taken: ReadonlySet<string>): string[] {
  return [id, ...aliases.filter((alias) => !taken.has(alias))];
}

/**
 * What outlooks and alerts add to the entry of an invest; nothing to other entries.
 *
 * @param taken Ids of all entries: an alias that is one of them is of that entry.
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
