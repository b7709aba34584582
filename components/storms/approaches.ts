import { type Fix, reckoned } from "@open-metocean/geo/rhumb";
import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { knownDangerArea } from "@open-metocean/storms/danger";
import type { DangerMethod } from "@open-metocean/storms/providers";
import type { StormEntry } from "@open-metocean/storms/schema";
import { forecastMarks, NEAR_KM, rangeNow, since, steering, type Vessel } from "@open-metocean/storms/track";
import { useDeferredValue, useMemo } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormApproachResponse } from "#lib/contract/storm-approach.ts";
import { approachAnswer } from "#lib/storm-answers/approach.ts";
import { useStorms } from "./storms-context.tsx";

/** The approach of one storm to a vessel, in the form of POST /storms/approach. */
export type ApproachAnswer = StormApproachResponse["results"][number];

/** The vessel from which storms are measured: the ship, or else one that stays at the sampled point. */
export interface Observer {
  is: "ship" | "point";
  fix: Fix;
}

export interface Approaches {
  observer: Observer;
  /** Answers by storm id, for storms with a forecast. */
  answers: ReadonlyMap<string, ApproachAnswer>;
}

/** Interval at which the start of the searched time is updated, seconds; times of storms are whole hours. */
const RENEWED_S = 600;

/** The ship with the tried course and speed, or else the sampled point; undefined without either. */
function useObserver(): Observer | undefined {
  const { ship, tried } = useShip();
  const { p } = useView("p");
  const { now } = useClock("now");
  const from = Math.floor(now / RENEWED_S) * RENEWED_S;
  return useMemo(() => {
    if (from === 0) return undefined;
    if (ship) return { is: "ship", fix: tried ?? ship };
    return p ? { is: "point", fix: { ...p, course: 0, speed: 0, time: from } } : undefined;
  }, [ship, tried, p, from]);
}

/**
 * How near the storms come, computed on the page by the same function that the service uses. It therefore
 * works without a network, and follows each change of course and speed.
 *
 * @param nearOnly Leaves out storms too far away to be dangerous, which saves most of the time.
 * @returns undefined without a ship and a point.
 */
export function useApproaches(nearOnly = false): Approaches | undefined {
  // The slider must respond before the storms are computed.
  const observer = useDeferredValue(useObserver());
  const { entries } = useStorms("entries");
  const view = useView("danger");
  const { now } = useClock("now");
  const from = Math.floor(now / RENEWED_S) * RENEWED_S;
  const method = view.danger ?? "classic";
  return useMemo(() => {
    if (!observer) return undefined;
    const vessel = vesselOf(observer.fix, from);
    const answers = new Map<string, ApproachAnswer>();
    for (const entry of entries) {
      if (!entry.is_active || (nearOnly && !comesNear(entry, vessel))) continue;
      const answer = answerOf(entry, observer.fix, from, method);
      if (answer) answers.set(entry.id, answer);
    }
    return { observer, answers };
  }, [observer, entries, from, method, nearOnly]);
}

/** The voyage of a ship from a time on. @param from Unix seconds. */
export function vesselOf(fix: Fix, from: number): Vessel {
  return since(steering(fix, fix.time, fix.course, fix.speed * MILE_KM), from);
}

/** The last answer for each storm, shared by list, card, map and badge. */
const answered = new WeakMap<StormEntry, { question: string; answer: ApproachAnswer | undefined }>();

function answerOf(entry: StormEntry, fix: Fix, from: number, method: DangerMethod) {
  const question = JSON.stringify([fix, from, method]);
  const known = answered.get(entry);
  if (known?.question === question) return known.answer;
  const answer = approachAnswer(entry, vesselOf(fix, from), knownDangerArea(entry, method), from);
  answered.set(entry, { question, answer });
  return answer;
}

function comesNear(entry: StormEntry, vessel: Vessel): boolean {
  return (
    kmNow(entry, vessel.at(vessel.begins), vessel.begins) < NEAR_KM ||
    forecastMarks(entry).some(
      (mark) => distanceKm(mark, vessel.at(Math.max(vessel.begins, mark.time))) < NEAR_KM,
    )
  );
}

function kmNow(entry: StormEntry, place: Place, now: number): number {
  return rangeNow(entry, place, now)?.km ?? Number.POSITIVE_INFINITY;
}

/** Storms that come near, and those without a forecast that are near now, most dangerous first. */
export function nearStorms(
  entries: readonly StormEntry[],
  approaches: Approaches,
  now: number,
): readonly StormEntry[] {
  const place = reckoned(approaches.observer.fix, now);
  const near = entries.filter(
    (entry) => approaches.answers.has(entry.id) || (entry.is_active && kmNow(entry, place, now) < NEAR_KM),
  );
  return sortedByDanger(near, approaches, now);
}

/** A time at most this far ahead counts as now, seconds; times of storms are whole hours. */
export const NOW_S = 1800;

/**
 * `inside`: within the lowest winds now; `enters`: later; `caution`: within the danger area, where those
 * winds may be at some time in three days; `clear`; or `unknown`.
 */
export type DangerLevel = "inside" | "enters" | "caution" | "clear" | "unknown";

/** @param now Unix seconds. */
export function dangerLevel({ danger, arrivals, closest }: ApproachAnswer, now: number): DangerLevel {
  // Winds that are not forecast have no typical reach.
  const usual = arrivals[0]?.is_forecast !== false && isInUsualReach(closest) ? closest.time : undefined;
  const hours = [arrivals[0]?.likely, usual].filter((time) => typeof time === "number");
  if (hours.length > 0) return Math.min(...hours) <= now + NOW_S ? "inside" : "enters";
  if (!danger) return "unknown";
  return danger.enters === null ? "clear" : "caution";
}

/** Distance up to which a storm without a forecast is dangerous, km: the forecast error after two days. */
const UNFORECAST_KM = 200 * MILE_KM;

/** The same as `dangerLevel`, also for a storm without a forecast, which is `caution` if near. */
export function levelOf(entry: StormEntry, { observer, answers }: Approaches, now: number): DangerLevel {
  const answer = answers.get(entry.id);
  if (answer) return dangerLevel(answer, now);
  const isNear = entry.is_active && kmNow(entry, reckoned(observer.fix, now), now) < UNFORECAST_KM;
  return isNear ? "caution" : "unknown";
}

/** Storms that the badge counts: their winds arrive, or it is unknown whether they do. */
export function dangerousStorms(
  entries: readonly StormEntry[],
  approaches: Approaches,
  now: number,
): readonly StormEntry[] {
  return entries.filter((entry) => {
    const level = levelOf(entry, approaches, now);
    return (
      level === "inside" || level === "enters" || (level === "caution" && !approaches.answers.has(entry.id))
    );
  });
}

/**
 * Whether the lowest winds reach the vessel at the closest approach, with their typical reach if no radii are
 * forecast.
 */
export function isInUsualReach({ distance_km, gale_km }: ApproachAnswer["closest"]): boolean {
  return distance_km <= gale_km;
}

/**
 * Sorts storms by danger: inside, entered later, then by the closest approach. Storms too far away to be
 * dangerous (or all, without a ship and a point) follow by strength, with areas of interest after storms, and
 * those no longer tracked last.
 */
export function sortedByDanger(
  entries: readonly StormEntry[],
  approaches: Approaches | undefined,
  now: number,
): readonly StormEntry[] {
  const place = approaches && reckoned(approaches.observer.fix, now);
  const keyOf = (entry: StormEntry): number[] => {
    const answer = approaches?.answers.get(entry.id);
    const level = approaches && ["inside", "enters", "caution"].indexOf(levelOf(entry, approaches, now));
    const km = place && (answer?.closest.distance_km ?? rangeNow(entry, place, now)?.km);
    return [
      entry.is_active ? 0 : 1,
      level === undefined || level < 0 ? 3 : level,
      Math.round(Math.min(km ?? 0, NEAR_KM)),
      entry.is_invest ? 1 : 0,
      -(entry.tracks.observed.at(-1)?.vmax_kt ?? 0),
    ];
  };
  const keys = new Map(entries.map((entry) => [entry, keyOf(entry)]));
  return entries.toSorted((one, other) => {
    const [a, b] = [keys.get(one)!, keys.get(other)!];
    const first = a.findIndex((value, index) => value !== b[index]);
    return first < 0 ? 0 : a[first]! - b[first]!;
  });
}
