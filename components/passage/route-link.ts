import "#components/api-client/without-eval.ts";
import {
  changePlan,
  emptyPlan,
  inserted,
  markPlan,
  readPlan,
  readSavedPlans,
  savePlan,
} from "#components/view-state/plan.ts";
import type { Plan } from "#lib/contract/passage.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { planFromText, planToText } from "#lib/passage/plan-link.ts";

/** A link with a plan. @param address Of the page; its fragment, which may bring a key, is left out. */
export function linkOf(plan: Plan, address: string): { href: string; isWhole: boolean } {
  const { text, isWhole } = planToText(plan);
  const link = new URL(address);
  link.hash = "";
  link.searchParams.delete("tab");
  link.searchParams.set("plan", text);
  // As the page itself writes them.
  return { href: link.href.replaceAll("%3A", ":").replaceAll("%2C", ","), isWhole };
}

/**
 * Takes the plan of a link. One that is not saved under a name is saved first: whoever sends a link should not make anybody
 * lose a plan.
 *
 * @returns Its route; undefined where the link has no plan, and nothing has changed.
 */
export function openLinkedPlan(text: string): Plan["route"] | undefined {
  const linked = planFromText(text);
  if (!linked) {
    markPlan({ notice: { is: "damagedLink" } });
    return undefined;
  }
  const { plan } = readPlan();
  if (normal(plan) === normal(linked)) return linked.route;
  replacePlan(linked);
  return linked.route;
}

/** Opens another plan. The one before it is saved first where it is not: to undo is no help after the next page. */
export function replacePlan(next: Plan): void {
  keepBefore();
  changePlan({ ...emptyPlan, departure: undefined, departures: undefined, limits: undefined, ...next });
}

/** Begins another route, with the vessel and limits of the plan, which is saved first where it is not. */
export function startRoute(place: Place): void {
  keepBefore();
  changePlan({ ...emptyPlan, route: inserted([], place), departure: undefined, departures: undefined });
}

/** Saves the plan that is about to be replaced, and says under which name. */
function keepBefore(): void {
  const { plan } = readPlan();
  const keptAs = isSaved(plan) ? undefined : keep(plan);
  markPlan({
    waypoint: undefined,
    boat: undefined,
    notice: keptAs === undefined ? undefined : { is: "kept", as: keptAs },
  });
}

function isSaved(plan: Plan): boolean {
  // A single place without a name is no loss.
  return (
    plan.route.length < (plan.name ? 1 : 2) || readSavedPlans().some((one) => normal(one) === normal(plan))
  );
}

/** The same text for plans that are the same. */
function normal(plan: Plan): string {
  return planToText(planFromText(planToText(plan).text) ?? plan).text;
}

/** @returns The name that it was saved under: its own or that of its ends, with a number where another plan has it. */
function keep(plan: Plan): string | undefined {
  const taken = new Set(readSavedPlans().map(({ name }) => name));
  const ends = [plan.route[0]?.name, plan.route.at(-1)?.name].filter(Boolean).join(" – ");
  const own = plan.name || ends || "—";
  let name = own;
  for (let number = 2; taken.has(name); number++) name = `${own.slice(0, 70)} (${number})`;
  return savePlan({ ...plan, name }) ? name : undefined;
}
