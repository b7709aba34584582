import { useSyncExternalStore } from "react";
import type { Plan } from "#lib/contract/plan.ts";

const STORAGE_KEY = "metocean-plans";
/** Of what is stored: another one is not read. */
const VERSION = 1;

const none: readonly Plan[] = [];
const listeners = new Set<() => void>();
let current: readonly Plan[] | undefined;

/** The plans that were saved by name on this device, sorted by it. */
export function useSavedPlans(): readonly Plan[] {
  return useSyncExternalStore(subscribeToSavedPlans, readSavedPlans, () => none);
}

export function readSavedPlans(): readonly Plan[] {
  current ??= parsePlans(localStorage.getItem(STORAGE_KEY));
  return current;
}

/** Calls the listener whenever the saved plans change, in another tab too. */
export function subscribeToSavedPlans(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", readAgain);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", readAgain);
  };
}

/** Saves a plan under its name, in place of another one of that name. @returns false: the device did not take it. */
export function savePlan(plan: Plan): boolean {
  return setSavedPlans([...readSavedPlans().filter(({ name }) => name !== plan.name), plan]);
}

export function deletePlan(named: string): boolean {
  return setSavedPlans(readSavedPlans().filter(({ name }) => name !== named));
}

/** Puts other plans in place of all, as to take a change back. @returns false: the device did not take them. */
export function setSavedPlans(plans: readonly Plan[]): boolean {
  const sorted = plans.toSorted((one, other) => one.name.localeCompare(other.name));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ version: VERSION, plans: sorted }));
  } catch (error) {
    // Its storage is full, or switched off.
    if (error instanceof DOMException) return false;
    throw error;
  }
  publish(sorted);
  return true;
}

function parsePlans(text: string | null): readonly Plan[] {
  if (text === null) return none;
  try {
    const { version, plans } = JSON.parse(text) as { version: number; plans: Plan[] };
    return version === VERSION ? plans : none;
  } catch (error) {
    if (error instanceof SyntaxError) return none;
    throw error;
  }
}

function readAgain({ key }: StorageEvent): void {
  if (key === null || key === STORAGE_KEY) publish(parsePlans(localStorage.getItem(STORAGE_KEY)));
}

function publish(plans: readonly Plan[]): void {
  current = plans;
  for (const listener of listeners) listener();
}
