import type { PlanVessel } from "#lib/contract/plan.ts";
import { formatUngrouped } from "#lib/messages/number.ts";
import type { PassageStyle } from "./passage-format.ts";

/** The vessel in a few words: `sail, Cruiser of 10 m (generic), × 0.9, motor 5.5 kn`. */
export function formatVessel(vessel: PlanVessel, { words, zone }: PassageStyle): string {
  const { vesselText, vessel: forms } = words;
  const text = (value = 0) => formatUngrouped(value, Number.isInteger(value) ? 0 : 1, zone.words.language);
  if (vessel.kind === "fixed") return vesselText.fixed({ speed: text(vessel.speed_kt) });
  if (vessel.kind === "motor")
    return vesselText.motor({ speed: text(vessel.speed_kt), isTypical: vessel.table === undefined });
  return vesselText.sail({
    polar: forms.polars[vessel.polar_name ?? "own"],
    factor: formatUngrouped(vessel.factor ?? 0.9, 2, zone.words.language),
    motor: vessel.motor_speed_kt === undefined ? undefined : text(vessel.motor_speed_kt),
  });
}
