import type { StormEntry } from "#lib/contract/storms.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { HOUR_S } from "#lib/time.ts";
import { instant } from "./invariants.ts";
import type { Poll, Seen } from "./mirror.ts";
import type { Publication, Said, Season } from "./season.ts";

/** An invest, a storm without anything new for so long has ended. */
const SILENT_S = { invest: 18 * HOUR_S, storm: 24 * HOUR_S };

/** An ended storm stays published so long. */
const AFTER_END_S = 24 * HOUR_S;

/** An alert holds so long beyond its end. */
const LAPSED_S = 6 * HOUR_S;

/** A warning that comes so late is of no use even for a storm that is published. */
const OBSOLETE_S = 48 * HOUR_S;

/** A centre that stands still holds back the end of its storms for so long. */
const STANDSTILL_S = 5 * 24 * HOUR_S;

/** A list is renewed with each advisory. Clocks are wrong by at most 600 s. */
const LIST_S = 6 * HOUR_S + 600;

/** Text so new must be published whatever else is in the mirror. */
const FRESH_S = 12 * HOUR_S;

/** An invest becomes the storm that is so near, so soon. */
const SAME_KM = 300;
const SAME_S = 24 * HOUR_S;

/** Follows a replay and knows what its whole texts have said so far. */
export class Watcher {
  readonly #season: Season;
  /** By storm: the newest forecast that was read whole, and the newest base time. */
  readonly #forecast = new Map<number, NonNullable<Said["forecast"]>>();
  readonly #base = new Map<number, number>();
  readonly #ended = new Set<number>();
  /** Of them, those whose last word was read in time, and counts. */
  readonly #over = new Set<number>();
  /** By storm: the newest alert that was read whole. */
  readonly #alerts = new Map<number, NonNullable<Said["alert"]>>();
  #list: Said["lists"];
  /** By source: the newest list that was read whole, and since when. */
  readonly #lists = new Map<string, { text: string; since: number; says: NonNullable<Said["lists"]> }>();
  readonly #listedOnce = new Set<string>();
  /** By centre: when a text last changed. */
  readonly #heard = new Map<string, number>();
  /** By source: its text at the poll before. */
  readonly #known = new Map<string, string>();
  #before: StormEntry[] = [];

  constructor(season: Season) {
    this.#season = season;
  }

  /** What does not hold after a poll. @param isRead Whether the feed could be read. */
  *faults(poll: Poll, entries: readonly StormEntry[], isRead: boolean): Generator<string> {
    const texts = [...(poll.texts?.values() ?? [])];
    const now = poll.readings.at(-1)!;
    if (isRead) {
      // A text can be newer than a slow clock.
      this.#listen(texts, Math.max(poll.time, poll.readings[0]!));
      yield* this.#listed(texts, entries);
      yield* this.#forecasts(now, entries);
      yield* this.#missing(now, texts, entries);
      yield* this.#standingStill(now, entries);
      yield* this.#alive(texts, entries);
      yield* this.#alerted(now, entries);
    }
    for (const before of this.#before) {
      const same = entries.find(({ id }) => id === before.id);
      const after = same ?? this.#successor(before, entries);
      // An id changes once, when an invest becomes a storm; two that turn out to be one storm keep one of theirs. A letter of
      // the JMA is soon that of another storm.
      const isAnother = this.#season.storms.filter(({ ids }) => after && ids.includes(after.id)).length > 1;
      const isJoined = this.#before.some(({ id }) => id === after?.id);
      const isOther = isJoined || (before.provider === "jma" && isAnother);
      if (!same && after && (!before.is_invest || after.is_invest) && !isOther)
        yield `renamed: ${before.id} is ${after.id} now`;
      if (after) yield* this.#shortened(before, after);
      if (!after) {
        const reason = this.#mayVanish(before, now, texts);
        if (reason !== undefined) yield `vanished: ${before.id}: ${reason}`;
      } else if (before.is_active && !after.is_active) {
        const reason = this.#mayEnd(before, now, texts);
        if (reason !== undefined) yield `ended: ${before.id}: ${reason}`;
      }
    }
    this.#before = [...entries];
  }

  /** Whether a list that was read had the storm. */
  wasListed(id: string): boolean {
    return this.#listedOnce.has(id);
  }

  /** Whether a text that was read ended the storm. */
  hasEnded(id: string): boolean {
    return this.#season.storms.some(({ ids }, storm) => ids.includes(id) && this.#ended.has(storm));
  }

  /** The age that is told is that of the newest text: at least of what was read, and never of the reading. */
  *faultsOfAge(newestTextAt: number | undefined): Generator<string> {
    const heard = Math.max(...this.#heard.values());
    const base = Math.max(...this.#base.values());
    if (newestTextAt === undefined) return;
    if (newestTextAt > heard)
      yield `data age: the newest text is said to be of ${instant(newestTextAt)}, and nothing came after ${instant(heard)}`;
    if (newestTextAt < base && base <= heard)
      yield `data age: the newest text is said to be of ${instant(newestTextAt)}, and one of ${instant(base)} was read`;
  }

  #centreOf({ says, source }: Publication): string {
    if (says?.lists) return centreOf(says.lists.basins[0]!);
    if (says?.storm === undefined) return source.startsWith("ab") ? "jtwc" : "nhc";
    return centreOf(this.#season.storms[says.storm]!.ids.at(-1)?.slice(0, 2) ?? "WP");
  }

  #listen(texts: readonly Seen[], now: number): void {
    for (const { isWhole, of, text } of texts) {
      if (this.#known.get(of.source) !== text) this.#heard.set(this.#centreOf(of), now);
      this.#known.set(of.source, text);
      if (!isWhole || !of.says) continue;
      const { storm, base, forecast, ends, lists, alert } = of.says;
      if (storm !== undefined && alert && alert.issued >= (this.#alerts.get(storm)?.issued ?? 0))
        this.#alerts.set(storm, alert);
      if (lists) {
        this.#list = lists;
        if (this.#lists.get(of.source)?.text !== text)
          this.#lists.set(of.source, { text, since: now, says: lists });
        for (const listed of lists.keys) this.#listedOnce.add(listed);
        continue;
      }
      // A reader refuses a warning that is so old when it comes.
      const isObsolete =
        of.source.startsWith("products/") &&
        base !== undefined &&
        now - base > (this.#isPublished(storm) ? OBSOLETE_S : SILENT_S.invest);
      // Another text may tell that its storm is recent.
      if (storm !== undefined && ends && base !== undefined && now - base <= OBSOLETE_S)
        this.#ended.add(storm);
      if (storm !== undefined && ends && base !== undefined && now - base <= SILENT_S.invest)
        this.#over.add(storm);
      if (storm === undefined || isObsolete) continue;
      if (base !== undefined) this.#base.set(storm, Math.max(base, this.#base.get(storm) ?? 0));
      if (ends) this.#ended.add(storm);
      const known = this.#forecast.get(storm);
      if (forecast && (!known || forecast.base > known.base)) this.#forecast.set(storm, forecast);
      else if (forecast && known?.base === forecast.base && forecast.hours.length > known.hours.length)
        this.#forecast.set(storm, forecast);
    }
  }

  #isPublished(storm: number | undefined): boolean {
    const ids = storm === undefined ? [] : this.#season.storms[storm]!.ids;
    return this.#before.some(({ id }) => ids.includes(id));
  }

  /** Storms of the list that is in the mirror whole are active. */
  *#listed(texts: readonly Seen[], entries: readonly StormEntry[]): Generator<string> {
    const list = texts.find(({ of, isWhole, isNewest }) => of.says?.lists && isWhole && isNewest)?.of.says
      ?.lists;
    for (const key of list?.keys ?? []) {
      const index = this.#season.storms.findIndex(({ code, ids }) => (code ?? ids.at(-1)) === key);
      if (!this.#base.has(index)) continue;
      const { ids } = this.#season.storms[index]!;
      const entry = entries.find(({ id, is_active }) => is_active && ids.includes(id));
      if (!entry) yield `listed: ${key} (${ids.join(", ")}) is on the list and not active`;
    }
  }

  /** What its agency has ended, or left out of its list, is not active. */
  *#alive(texts: readonly Seen[], entries: readonly StormEntry[]): Generator<string> {
    const lists = texts.flatMap(({ of, isWhole, isNewest }) =>
      isWhole && isNewest && of.says?.lists ? [of.says.lists] : [],
    );
    for (const { id, is_active, is_invest } of entries) {
      if (!is_active) continue;
      const storms = this.#season.storms.flatMap(({ ids }, index) => (ids.includes(id) ? [index] : []));
      if (storms.length > 0 && storms.every((storm) => this.#over.has(storm)))
        yield `alive: ${id} is active, although its last text was read`;
      const isUnlisted = lists.some(
        ({ basins, keys }) =>
          basins.includes(id.slice(0, 2)) &&
          !storms.some((storm) => keys.includes(this.#season.storms[storm]!.code ?? id)),
      );
      if (isUnlisted && !is_invest && this.#listedOnce.has(id))
        yield `alive: ${id} is active, although the list has left it out`;
    }
  }

  /** An invest of which an alert is in force, or was until 6 h ago, is active and has the alert, unless it has become a storm. */
  *#alerted(now: number, entries: readonly StormEntry[]): Generator<string> {
    for (const [storm, { issued, until }] of this.#alerts) {
      if (this.#ended.has(storm) || issued > now || now > until + LAPSED_S) continue;
      const { ids } = this.#season.storms[storm]!;
      const own = entries.filter(({ id }) => ids.includes(id));
      // Another storm that has the number of the invest now, or an outlook that says that it has dissipated.
      if (this.#season.storms.filter((each) => each.ids.some((id) => ids.includes(id))).length > 1) continue;
      if (own.some(({ is_invest }) => !is_invest)) continue;
      const shown = own.find(({ is_active }) => is_active)?.formation_alert;
      if (shown?.valid_until !== until)
        yield `alert: ${ids.join()} is ${own.length > 0 ? "without" : "gone with"} its alert until ${instant(until)}`;
    }
  }

  /** A list that stands still ends no storm that its deck calls a tropical cyclone since. */
  *#standingStill(now: number, entries: readonly StormEntry[]): Generator<string> {
    for (const entry of entries) {
      const { id, is_active, is_invest, provider } = entry;
      const cycloneAt = cycloneTimes(entry).at(-1);
      if (is_active || is_invest || provider === "jma" || cycloneAt === undefined) continue;
      if (this.hasEnded(id) || now - newestTime(entry) > SILENT_S.storm) continue;
      const lists = [...this.#lists.values()].filter(({ says }) => says.basins.includes(id.slice(0, 2)));
      if (lists.length > 0 && lists.every(({ since }) => cycloneAt > since + LIST_S))
        yield `standing still: ${id} has ended, although a fix of ${instant(cycloneAt)} is later than any list`;
    }
  }

  /** A forecast is never older or shorter than the newest one that was read whole. */
  *#forecasts(now: number, entries: readonly StormEntry[]): Generator<string> {
    for (const [storm, { base, hours }] of this.#forecast) {
      if (now - base > FRESH_S || this.#ended.has(storm)) continue;
      if (hours.length === 0) continue;
      const { ids } = this.#season.storms[storm]!;
      const entry = ids.flatMap((own) => entries.filter(({ id }) => id === own)).at(-1);
      if (entry && !entry.is_active) continue;
      const shown = entry?.tracks.forecast;
      if (!shown) yield `forecast: ${ids.join()} has none, although one of ${instant(base)} was read`;
      else if (shown.issued_at < base)
        yield `forecast: ${ids.join()} has that of ${instant(shown.issued_at)}, although one of ${instant(base)} was read`;
      else if (shown.issued_at === base) {
        const lost = hours.filter((hour) => !shown.points.some(({ fhr }) => fhr === hour));
        if (lost.length > 0)
          yield `forecast: ${ids.join()} of ${instant(base)} lacks the hours ${lost.join()}`;
      }
    }
  }

  /** A storm of which a fresh text is in the mirror is published. */
  *#missing(now: number, texts: readonly Seen[], entries: readonly StormEntry[]): Generator<string> {
    for (const { of, isWhole } of texts) {
      const { storm, base } = of.says ?? {};
      if (!isWhole || storm === undefined || base === undefined || now - base > FRESH_S || base > now)
        continue;
      const { ids } = this.#season.storms[storm]!;
      if (!entries.some(({ id }) => ids.includes(id)))
        yield `missing: ${ids.join(", ")}: ${of.source} of ${instant(base)} is in the mirror`;
    }
  }

  /** The entry that an invest has become, or the same storm of the JMA under its number. */
  #successor(before: StormEntry, entries: readonly StormEntry[]): StormEntry | undefined {
    const storms = this.#season.storms.filter(({ ids }) => ids.includes(before.id));
    const last = before.tracks.observed.at(-1);
    return entries.find(({ id, tracks: { observed } }) => {
      if (!storms.some(({ ids }) => ids.includes(id))) return false;
      // A letter that has become a number; the JMA's code stays.
      if (storms.some(({ code }) => code !== undefined)) return true;
      return observed.some(
        (fix) =>
          last !== undefined &&
          Math.abs(fix.time - last.time) <= SAME_S &&
          distanceKm(ofWire(fix), ofWire(last)) <= SAME_KM,
      );
    });
  }

  /** No fix of a deck or analysis is lost: agencies place a fix anew, but those here take none back. */
  *#shortened(before: StormEntry, after: StormEntry): Generator<string> {
    const storms = this.#season.storms.filter(({ ids }) => ids.includes(after.id));
    const times = after.tracks.observed.map(({ time }) => time);
    // Another storm that has the number of the invest now.
    if (storms.length > 1 && after.is_invest && times[0]! > newestTime(before) - SAME_S) return;
    const lost = before.tracks.observed.filter(
      ({ time, mslp_hpa, vmax_kt }) =>
        // The times of JMA's drawn line are counted back, and counted again from an older bulletin.
        (before.provider !== "jma" || mslp_hpa !== null || vmax_kt !== null) &&
        // Of two fixes within an hour one is left out.
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

  /** @returns Why a storm must still be active; undefined if it may have ended. */
  #mayEnd(before: StormEntry, now: number, texts: readonly Seen[]): string | undefined {
    const storms = this.#season.storms.flatMap(({ ids }, index) => (ids.includes(before.id) ? [index] : []));
    if (storms.some((storm) => this.#ended.has(storm))) return undefined;
    const lists = texts.flatMap(({ of, isWhole }) => (isWhole && of.says?.lists ? [of.says.lists] : []));
    const keys = storms.map((storm) => this.#season.storms[storm]!.code ?? before.id);
    if (!before.is_invest || before.provider === "jma") {
      const isUnlisted = lists.some(
        (list) => list.basins.includes(before.id.slice(0, 2)) && !keys.some((key) => list.keys.includes(key)),
      );
      if (isUnlisted) return undefined;
    }
    // A mirror that stands still says nothing, for some days.
    const heard = this.#heard.get(centreOf(before.id.slice(0, 2))) ?? now;
    const since = before.is_invest
      ? Math.max(newestTime(before), before.bulletin_at ?? 0)
      : newestTime(before);
    const silent = Math.min(now, Math.max(heard, now - STANDSTILL_S)) - since;
    const max = before.is_invest ? SILENT_S.invest : SILENT_S.storm;
    const isListed = this.#list?.keys.some((key) => keys.includes(key)) ?? false;
    if (silent > max && !(before.provider === "jma" && isListed)) return undefined;
    return isListed ? "it is listed" : `its newest fix is ${(silent / HOUR_S).toFixed(1)} h old`;
  }

  #mayVanish(before: StormEntry, now: number, texts: readonly Seen[]): string | undefined {
    const reason = this.#mayEnd(before, now, texts);
    if (before.is_active && reason !== undefined) return reason;
    const silent = now - newestTime(before);
    if (silent > AFTER_END_S) return undefined;
    return `it has ended, and its newest fix is only ${(silent / HOUR_S).toFixed(1)} h old`;
  }
}

/** NHC and JTWC have mirrors of their own. */
export function centreOf(basin: string): string {
  return ["AL", "EP", "CP"].includes(basin) ? "nhc" : "jtwc";
}

/** Of the fixes at which its texts call a storm a tropical cyclone, Unix seconds, ascending. */
export function cycloneTimes({ tracks: { observed } }: StormEntry): number[] {
  return observed.flatMap(({ time, type }) => (/^(?:TD|TS|HU)$/.test(type ?? "") ? [time] : []));
}

/** Of the newest fix or forecast, Unix seconds. */
export function newestTime({ tracks: { observed, forecast } }: StormEntry): number {
  return Math.max(observed.at(-1)?.time ?? 0, forecast?.issued_at ?? 0);
}
