import { useSyncExternalStore } from "react";
import type { Plan } from "#lib/contract/plan.ts";

/** The plan of this page, which the device keeps: in localStorage, and sent only in requests for its passage. */
export interface StoredPlan {
  plan: Plan;
  canUndo: boolean;
  canRedo: boolean;
  /** false: the device did not take the last change, and the plan goes with the page. */
  isKept: boolean;
}

/** A plan that nobody has written in. */
export const emptyPlan: Plan = { name: "", route: [] };

const STORAGE_KEY = "metocean-plan";
/** Of what is stored: another one is not read. */
const VERSION = 1;
const MAX_UNDO = 100;

const onServer: StoredPlan = { plan: emptyPlan, canUndo: false, canRedo: false, isKept: true };
const listeners = new Set<() => void>();
let past: Plan[] = [];
let future: Plan[] = [];
let current: StoredPlan | undefined;
/** What the last change was of. */
let lastOf: string | undefined;

/** The plan, and how it is changed; an empty one while the page is rendered on the server. */
export function usePlan() {
  const stored = useSyncExternalStore(subscribeToPlan, readPlan, () => onServer);
  return { ...stored, change: changePlan, undo: undoPlan, redo: redoPlan };
}

export function readPlan(): StoredPlan {
  current ??= { ...onServer, plan: parsePlan(localStorage.getItem(STORAGE_KEY)) ?? emptyPlan };
  return current;
}

export function subscribeToPlan(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Changes parts of the plan. Another tab of the browser keeps its own; the device keeps the one that was changed last.
 *
 * @param of What is changed, as the name of a field: changes of the same in a row are taken back together.
 */
export function changePlan(part: Partial<Plan>, of?: string): void {
  const { plan } = readPlan();
  if (of === undefined || of !== lastOf) past = [...past.slice(1 - MAX_UNDO), plan];
  lastOf = of;
  future = [];
  publish({ ...plan, ...part });
}

/** Takes the last change back. */
export function undoPlan(): void {
  move(past, future);
}

/** Makes the change again that was taken back last. */
export function redoPlan(): void {
  move(future, past);
}

function move(from: Plan[], to: Plan[]): void {
  const next = from.pop();
  if (!next) return;
  to.push(readPlan().plan);
  lastOf = undefined;
  publish(next);
}

/** What is stored under another version, or is no plan, is as if there were none. */
function parsePlan(text: string | null): Plan | undefined {
  if (text === null) return undefined;
  try {
    const { version, plan } = JSON.parse(text) as { version: number; plan: Plan };
    return version === VERSION ? plan : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function publish(plan: Plan): void {
  const isKept = keep(plan);
  current = { plan, canUndo: past.length > 0, canRedo: future.length > 0, isKept };
  for (const listener of listeners) listener();
}

/** @returns Whether the device took it: its storage may be full, or switched off. */
function keep(plan: Plan): boolean {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ version: VERSION, plan }));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
