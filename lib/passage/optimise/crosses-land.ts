import type { Waypoint } from "../march.ts";
import { legOf } from "../route.ts";
import type { Coast } from "./coast.ts";

/** A rhumb line is followed in great circles of about this length, n mi. */
const PART_MILES = 10;

/** Whether a leg of a route crosses land. */
export function crossesLand(route: readonly Waypoint[], coast: Coast): boolean {
  return route.slice(1).some((to, index) => {
    const from = route[index]!;
    if (to.leg === "great_circle") return !coast.isClear(from, to);
    const leg = legOf(from, to, to.leg);
    const parts = Math.max(1, Math.ceil(leg.miles / PART_MILES));
    for (let part = 0; part < parts; part++)
      if (!coast.isClear(leg.at(part / parts), leg.at((part + 1) / parts))) return true;
    return false;
  });
}
