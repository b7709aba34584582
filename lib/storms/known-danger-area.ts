import type { StormEntry } from "#lib/contract/storm-form.ts";
import { type DangerArea, dangerArea } from "./danger-area.ts";
import type { DangerMethod } from "./danger-methods.ts";

const areas = new WeakMap<StormEntry, Map<DangerMethod, DangerArea | undefined>>();

/** As `dangerArea`, found once: a published entry does not change, and its area takes some milliseconds. */
export function knownDangerArea(entry: StormEntry, method: DangerMethod): DangerArea | undefined {
  const known = areas.get(entry) ?? new Map<DangerMethod, DangerArea | undefined>();
  areas.set(entry, known);
  if (!known.has(method)) known.set(method, dangerArea(entry, method));
  return known.get(method);
}
