import type { MapMeta } from "#lib/contract/map2d.ts";
import { type MapField, NULL_ENTRY } from "#lib/field/map-field.ts";
import type { NoRun } from "#server/archive/choose-run.ts";
import type { Run } from "#server/archive/run.ts";
import type { MapPlan } from "./map-plan.ts";
import { describeRun } from "./meta.ts";

/** Height of the 2D endpoint's wind, metres. */
const WIND_HEIGHT = 10;

/** Keeps account of which run answered how much of a 2D answer. */
export class MapAccount {
  readonly #plan: MapPlan;
  readonly #runs = new Map<Run, { times: Set<number>; nodes: number }>();
  readonly #unanswered = new Map<NoRun, number>();

  constructor(plan: MapPlan) {
    this.#plan = plan;
  }

  /** @param time Unix seconds. @param nodes How many nodes the run answered for at that time. */
  add(run: Run, time: number, nodes: number): void {
    const known = this.#runs.get(run);
    if (!known) this.#runs.set(run, { times: new Set([time]), nodes });
    else {
      known.times.add(time);
      known.nodes += nodes;
    }
  }

  addUnanswered(reason: NoRun, nodes: number): void {
    this.#unanswered.set(reason, (this.#unanswered.get(reason) ?? 0) + nodes);
  }

  meta(field: MapField): MapMeta {
    const { variable, outputs } = this.#plan;
    const nulls: MapMeta["nulls"] = [...this.#unanswered].map(([reason, points]) => ({ reason, points }));
    // A direction is null in a calm as well: what is measured tells whether there is anything.
    const measured = outputs.findIndex(({ is }) => is === "value" || is === "speed");
    let missing = 0;
    for (const slot of field.outputs[measured]!.entries) if (slot === NULL_ENTRY) missing++;
    for (const { points } of nulls) missing -= points;
    if (missing > 0) nulls.push({ reason: "missing", points: missing });
    return {
      provenance: [...this.#runs].map(([run, { times, nodes }]) =>
        describeRun(variable, run, times, nodes, WIND_HEIGHT),
      ),
      nulls,
    };
  }
}
