import type { PlanVessel } from "#lib/contract/plan.ts";
import type { PassageStyle } from "./passage-format.ts";

export interface VesselFormProps {
  vessel: PlanVessel;
  style: PassageStyle;
  /** @param of What is changed: changes of the same in a row are taken back together. */
  onChange(part: Partial<PlanVessel>, of: string): void;
}
