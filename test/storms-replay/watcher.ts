import { distanceKm } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import { ofWire } from "@open-metocean/storms/wire";
import { HOUR_S } from "#lib/time.ts";
import { instant } from "./invariants.ts";
import type { Poll, Seen } from "./mirror.ts";
import type { Publication, Said, Season, SeasonStorm } from "./season.ts";

/** Time without anything new after which an invest or a storm has ended, seconds. */
const SILENT_S = { invest: 18 * HOUR_S, storm: 24 * HOUR_S };

/** Time for which an ended storm stays published, seconds. */
const AFTER_END_S = 24 * HOUR_S;

/** Delay after which a warning is useless even for a published storm, seconds. */
const OBSOLETE_S = 48 * HOUR_S;

/** Time for which a centre without new texts delays the end of its storms, seconds. */
const STANDSTILL_S = 5 * 24 * HOUR_S;

/** A text younger than this must be published whatever else is in the mirror, seconds. */
const FRESH_S = 12 * HOUR_S;

/** Largest distance and time between an invest and the storm that it becomes. */
const SAME_KM = 300;
const SAME_S = 24 * HOUR_S;

/** Follows a replay and records what its complete texts have stated so far. */
export class Watcher {
  readonly #season: Season;
  /** Newest completely read forecast, and newest base time, by storm. */
  readonly #forecast = new Map<number, { base: number; hours: readonly number[] }>();
  readonly #base = new Map<number, number>();
  readonly #ended = new Set<number>();
  /** Storms whose last text was read in time, which therefore counts. */
  readonly #over = new Set<number>();
  #list: Said["lists"];
  readonly #listedOnce = new Set<string>();
  /** Time of the last change of a text, by centre. */
  readonly #heard = new Map<string, number>();
  /** Text at the previous poll, by source. */
  readonly #known = new Map<string, string>();
  #before: readonly StormEntry[] = [];

  constructor(season: Season) {
    this.#season = season;
  }

  /** Violations after a poll. @param isRead Whether the feed could be read. */
  *faults(poll: Poll, entries: readonly StormEntry[], isRead: boolean): Generator<string> {
    const texts = [...(poll.texts?.values() ?? [])];
    const now = poll.readings.at(-1)!;
    if (isRead) {
      // A text can be newer than a slow clock.
      this.#listen(texts, Math.max(poll.time, poll.readings[0]!));
      yield* this.#listed(texts, entries);
      yield* this.#forecasts(now, entries);
      yield* this.#missing(now, texts, entries);
    }
    for (const before of this.#before) {
      const same = entries.find(({ id }) => id === before.id);
      const after = same ?? this.#successor(before, entries);
      // An id changes once, when an invest becomes a storm. A letter of the JMA is soon reused for another storm.
      const isJoined = this.#before.some(({ id }) => id === after?.id);
      const isAnother = before.provider === "jma" && after && this.#stormsOf(after.id).length > 1;
      if (!same && after && (!before.is_invest || after.is_invest) && !isJoined && !isAnother)
        yield `renamed: ${before.id} is ${after.id} now`;
      if (after) yield* this.#shortened(before, after);
      const mustStay = this.#mustStay(before, now, texts);
      if (after && before.is_active && !after.is_active && mustStay) yield `ended: ${before.id}: ${mustStay}`;
      if (after) continue;
      if (before.is_active && mustStay) yield `vanished: ${before.id}: ${mustStay}`;
      else if ((!before.is_active || !mustStay) && now - newestTime(before) <= AFTER_END_S)
        yield `vanished: ${before.id}: it has ended less than a day ago`;
    }
    this.#before = [...entries];
  }

  /**
   * The reported age must be that of the newest text: at least of the read ones, and never that of the reading itself.
   */
  *faultsOfAge(newestTextAt: number | undefined): Generator<string> {
    const heard = Math.max(...this.#heard.values());
    const base = Math.max(...this.#base.values());
    if (newestTextAt === undefined) return;
    if (newestTextAt > heard || (newestTextAt < base && base <= heard))
      yield `data age: ${instant(newestTextAt)}, but ${instant(base)} was read, the last text came ${instant(heard)}`;
  }

  #stormsOf(id: string): SeasonStorm[] {
    return this.#season.storms.filter(({ ids }) => ids.includes(id));
  }

  #listen(texts: readonly Seen[], now: number): void {
    for (const { isWhole, of, text } of texts) {
      if (this.#known.get(of.source) !== text) this.#heard.set(this.#centreOf(of), now);
      this.#known.set(of.source, text);
      if (!isWhole) continue;
      const { storm, base = Number.NaN, hours, ends, lists } = of.says;
      if (lists) {
        this.#list = lists;
        for (const listed of lists.keys) this.#listedOnce.add(listed);
      }
      if (storm === undefined || Number.isNaN(base)) continue;
      // A reader refuses a warning that is this old on arrival, unless its storm is published.
      const isPublished = this.#before.some(({ id }) => this.#season.storms[storm]!.ids.includes(id));
      const isWarning = of.source.startsWith("products/");
      const isObsolete = isWarning && now - base > (isPublished ? OBSOLETE_S : SILENT_S.invest);
      if (ends && now - base <= OBSOLETE_S) this.#ended.add(storm);
      if (ends && now - base <= SILENT_S.invest) this.#over.add(storm);
      if (isObsolete) continue;
      this.#base.set(storm, Math.max(base, this.#base.get(storm) ?? 0));
      const known = this.#forecast.get(storm);
      const isNewer = !known || base > known.base;
      if (hours && (isNewer || (base === known.base && hours.length > known.hours.length)))
        this.#forecast.set(storm, { base, hours });
    }
  }

  #centreOf({ says }: Publication): string {
    if (says.lists) return centreOf(says.lists.basins[0]!);
    return centreOf(this.#season.storms[says.storm!]!.ids.at(-1)!);
  }

  /**
   * Storms of a complete list in the mirror must be active; those that it omits, or that the agency has ended, must
   * not.
   */
  *#listed(texts: readonly Seen[], entries: readonly StormEntry[]): Generator<string> {
    const { storms } = this.#season;
    const list = texts.find(({ of, isWhole, isNewest }) => of.says.lists && isWhole && isNewest)?.of.says
      .lists;
    for (const key of list?.keys ?? []) {
      const index = storms.findIndex(({ code, ids }) => (code ?? ids.at(-1)) === key);
      const isActive = entries.some(({ id, is_active }) => is_active && storms[index]!.ids.includes(id));
      if (this.#base.has(index) && !isActive) yield `listed: ${key} is on the list and not active`;
    }
    for (const { id, is_active, is_invest } of entries) {
      if (!is_active) continue;
      const own = storms.flatMap(({ ids }, index) => (ids.includes(id) ? [index] : []));
      if (own.length > 0 && own.every((storm) => this.#over.has(storm)))
        yield `alive: ${id} is active, although its last text was read`;
      const isUnlisted =
        list?.basins.includes(id.slice(0, 2)) &&
        !own.some((storm) => list.keys.includes(storms[storm]!.code ?? id));
      if (isUnlisted && !is_invest && this.#listedOnce.has(id))
        yield `alive: ${id} is active, although the list has left it out`;
    }
  }

  /** A forecast must never be older or shorter than the newest one that was read completely. */
  *#forecasts(now: number, entries: readonly StormEntry[]): Generator<string> {
    for (const [storm, { base, hours }] of this.#forecast) {
      if (now - base > FRESH_S || this.#ended.has(storm) || hours.length === 0) continue;
      const { ids } = this.#season.storms[storm]!;
      const entry = ids.flatMap((own) => entries.filter(({ id }) => id === own)).at(-1);
      if (entry && !entry.is_active) continue;
      const shown = entry?.tracks.forecast;
      const lost = hours.filter((hour) => !shown?.points.some(({ fhr }) => fhr === hour));
      if (!shown || shown.issued_at < base || (shown.issued_at === base && lost.length > 0))
        yield `forecast: ${ids.join()} lacks that of ${instant(base)}, or its hours ${lost.join()}`;
    }
  }

  /** A storm with a fresh text in the mirror must be published. */
  *#missing(now: number, texts: readonly Seen[], entries: readonly StormEntry[]): Generator<string> {
    for (const { of, isWhole } of texts) {
      const { storm, base } = of.says;
      if (!isWhole || storm === undefined || base === undefined || now - base > FRESH_S || base > now)
        continue;
      const { ids } = this.#season.storms[storm]!;
      if (!entries.some(({ id }) => ids.includes(id)))
        yield `missing: ${ids.join(", ")}: ${of.source} of ${instant(base)} is in the mirror`;
    }
  }

  /** The entry that an invest has become, or the same storm of the JMA under its number. */
  #successor(before: StormEntry, entries: readonly StormEntry[]): StormEntry | undefined {
    const storms = this.#stormsOf(before.id);
    const last = before.tracks.observed.at(-1);
    return entries.find(({ id, tracks: { observed } }) => {
      if (!storms.some(({ ids }) => ids.includes(id))) return false;
      // A letter has become a number; the JMA's code stays.
      if (storms.some(({ code }) => code !== undefined)) return true;
      return observed.some(
        (fix) =>
          last !== undefined &&
          Math.abs(fix.time - last.time) <= SAME_S &&
          distanceKm(ofWire(fix), ofWire(last)) <= SAME_KM,
      );
    });
  }

  /** No fix of a deck or analysis may be lost. Agencies move fixes, but in these seasons they withdraw none. */
  *#shortened(before: StormEntry, after: StormEntry): Generator<string> {
    const storms = this.#stormsOf(after.id);
    const times = after.tracks.observed.map(({ time }) => time);
    // The number of the invest now belongs to another storm.
    if (storms.length > 1 && after.is_invest && times[0]! > newestTime(before) - SAME_S) return;
    const lost = before.tracks.observed.filter(
      ({ time, mslp_hpa, vmax_kt }) =>
        // The times of JMA's drawn line are counted back, and counted again from an older bulletin.
        (before.provider !== "jma" || mslp_hpa !== null || vmax_kt !== null) &&
        // One of two fixes within an hour is left out.
        !times.some((each) => Math.abs(each - time) < HOUR_S) &&
        storms.some(({ tracked }) => tracked.has(time)),
    );
    // A track of the JMA begins again after a gap of a day between two lives of a depression.
    const lastLost = lost.at(-1)?.time ?? 0;
    const next = before.tracks.observed.find(({ time }) => time > lastLost)?.time ?? newestTime(after);
    const isRestart = before.provider === "jma" && next - lastLost > SAME_S;
    if (lost.length > 0 && !isRestart)
      yield `shortened: ${after.id} has lost ${lost.length} fixes, such as that of ${instant(lost[0]!.time)}`;
  }

  /** @returns The reason why a storm must still be active; undefined if it may have ended. */
  #mustStay(before: StormEntry, now: number, texts: readonly Seen[]): string | undefined {
    const indices = this.#season.storms.flatMap(({ ids }, index) => (ids.includes(before.id) ? [index] : []));
    if (indices.some((storm) => this.#ended.has(storm))) return undefined;
    const keys = indices.map((storm) => this.#season.storms[storm]!.code ?? before.id);
    const isUnlisted = texts.some(({ of, isWhole }) => {
      const list = isWhole ? of.says.lists : undefined;
      return list?.basins.includes(before.id.slice(0, 2)) && !keys.some((key) => list.keys.includes(key));
    });
    if (isUnlisted && (!before.is_invest || before.provider === "jma")) return undefined;
    // A mirror without changes gives no information, for some days.
    const heard = this.#heard.get(centreOf(before.id)) ?? now;
    const { is_invest, bulletin_at = 0 } = before;
    const since = is_invest ? Math.max(newestTime(before), bulletin_at) : newestTime(before);
    const silent = Math.min(now, Math.max(heard, now - STANDSTILL_S)) - since;
    const isListed = this.#list?.keys.some((key) => keys.includes(key)) ?? false;
    if (silent > SILENT_S[is_invest ? "invest" : "storm"] && !(before.provider === "jma" && isListed))
      return undefined;
    return isListed ? "it is listed" : `its newest fix is ${(silent / HOUR_S).toFixed(1)} h old`;
  }
}

/** The centre of an id. NHC and JTWC have separate mirrors. */
function centreOf(id: string): string {
  return ["AL", "EP", "CP"].includes(id.slice(0, 2)) ? "nhc" : "jtwc";
}

/** Time of the newest fix or forecast, Unix seconds. */
function newestTime({ tracks: { observed, forecast } }: StormEntry): number {
  return Math.max(observed.at(-1)?.time ?? 0, forecast?.issued_at ?? 0);
}
