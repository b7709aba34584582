import "#components/api-client/without-eval.ts";
import type { Place } from "@open-metocean/geo/sphere";
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
import { planFromText, planToText } from "#lib/passage/plan-link.ts";

/**
 * Makes a link with a plan. @param address Address of the page; its fragment, which may contain a key, is
 * dropped.
 */
export function linkOf(plan: Plan, address: string): { href: string; isWhole: boolean } {
  const { text, isWhole } = planToText(plan);
  const link = new URL(address);
  link.hash = "";
  link.searchParams.delete("tab");
  link.searchParams.set("plan", text);
  // Colons and commas stay unescaped, as in addresses that the page writes.
  return { href: link.href.replaceAll("%3A", ":").replaceAll("%2C", ","), isWhole };
}

/**
 * Opens the plan of a link. The current plan is saved first if it is not saved under a name, so that a link
 * cannot make the user lose it.
 *
 * @returns The route; undefined if the link has no plan and nothing has changed.
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

/**
 * Opens another plan. The current one is saved first if it is not saved, because undo does not outlast the
 * page.
 */
export function replacePlan(next: Plan): void {
  keepBefore();
  changePlan({ ...emptyPlan, departure: undefined, departures: undefined, limits: undefined, ...next });
}

/**
 * Starts a new route with the vessel and limits of the current plan, which is saved first if it is not saved.
 */
export function startRoute(place: Place): void {
  keepBefore();
  changePlan({ ...emptyPlan, route: inserted([], place), departure: undefined, departures: undefined });
}

/** Saves the plan that is about to be replaced, and reports the name. */
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
  // A single unnamed place is not worth saving.
  return (
    plan.route.length < (plan.name ? 1 : 2) || readSavedPlans().some((one) => normal(one) === normal(plan))
  );
}

/** A normalised text by which equal plans are recognised. */
function normal(plan: Plan): string {
  return planToText(planFromText(planToText(plan).text) ?? plan).text;
}

/**
 * @returns The name under which it was saved: its own or that of its ends, with a number if another plan has
 * that name.
 */
function keep(plan: Plan): string | undefined {
  const taken = new Set(readSavedPlans().map(({ name }) => name));
  const ends = [plan.route[0]?.name, plan.route.at(-1)?.name].filter(Boolean).join(" – ");
  const own = plan.name || ends || "—";
  let name = own;
  for (let number = 2; taken.has(name); number++) name = `${own.slice(0, 70)} (${number})`;
  return savePlan({ ...plan, name }) ? name : undefined;
}
