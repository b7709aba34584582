import { ServiceError } from "#components/api-client/service.ts";
import type { StepPair } from "#components/view-state/timeline.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { FramePair } from "#lib/field/sample.ts";
import type { FrameStore, FrameRequest } from "./frame-store.ts";
import { planView } from "./view-plan.ts";

/** What the map shall draw. */
export interface FieldRequest {
  variable: DrawnVariable;
  /** The steps round the instant shown; undefined where the archive has none. */
  steps: StepPair | undefined;
  /** The steps round the instants that are likely next, the likeliest first: fetched ahead when nothing else is. */
  around: readonly StepPair[];
  /** What is in view; undefined until the map is open. */
  box: ViewBox | undefined;
}

/** What the map draws, and what it is waiting for. */
export interface DrawnField {
  /** The last field that was read: kept while the next one is on its way, so that the map is never blank. */
  pair: FramePair | undefined;
  /** The variable and the steps that `pair` is of. */
  variable: DrawnVariable | undefined;
  steps: StepPair | undefined;
  /** `pair` is what was wished for, at the level that the view needs. */
  settled: boolean;
  /** `pair` is of another variable or instant than the one wished for. */
  stale: boolean;
  /** The service asked for patience: it is asked again by itself at this time, milliseconds since 1970. */
  limitedUntil: number | undefined;
  error: Error | undefined;
}

export const emptyField: DrawnField = {
  pair: undefined,
  variable: undefined,
  steps: undefined,
  settled: false,
  stale: false,
  limitedUntil: undefined,
  error: undefined,
};

/** How long a wish must stand before fine frames are asked for, and before those around it are; milliseconds. */
const REST_MS = 120;
const AHEAD_MS = 300;

/** Where a 429 does not say how long; milliseconds. */
const PATIENCE_MS = 5000;

/** Part of the memory that frames fetched ahead may take. */
const AHEAD_SHARE = 0.75;

type Wish = FieldRequest & { steps: StepPair };

/**
 * Brings to the map what it wishes for: what is held at once; else the coarsest level, then the finest that the view has
 * room for; then, when the wish has stood a while, the steps around it. What is not wished for any more is stopped.
 */
export class FieldLoader {
  private readonly store: FrameStore;
  private readonly tell: (drawn: DrawnField) => void;
  private drawn = emptyField;
  private wished: Wish | undefined;
  private identity = "";
  private loading = new AbortController();
  private ahead = new AbortController();
  private patientUntil = 0;
  private restUntil = 0;

  /** @param tell Told of every change of what is to be drawn. */
  constructor(store: FrameStore, tell: (drawn: DrawnField) => void) {
    this.store = store;
    this.tell = tell;
  }

  request(wish: FieldRequest): void {
    const { steps } = wish;
    if (!steps) {
      this.close();
      this.identity = "";
      this.wished = undefined;
      if (this.drawn !== emptyField) this.show(emptyField);
      return;
    }
    const next = { ...wish, steps };
    // Who is only passing does not want the fine level.
    if (this.wished && !isOf(this.wished, next)) this.restUntil = Date.now() + REST_MS;
    this.wished = next;
    const identity = identityOf(next);
    if (identity === this.identity) this.moveInTime(next);
    else {
      this.identity = identity;
      this.begin(true);
    }
  }

  /** Asks again after an error. */
  retry(): void {
    if (this.wished) this.begin(true);
  }

  /** The service answers (again): what it could not be reached for, or failed at, is asked for once more. */
  recover(): void {
    const { error } = this.drawn;
    if (error instanceof ServiceError && (error.status === 0 || error.status >= 500)) this.retry();
  }

  /** Stops all requests. */
  close(): void {
    this.loading.abort();
    this.ahead.abort();
  }

  private show(drawn: DrawnField): void {
    this.drawn = drawn;
    this.tell(drawn);
  }

  /** The same frames at another instant between them. */
  private moveInTime({ steps }: Wish): void {
    const { pair, stale } = this.drawn;
    if (!pair || stale || (pair.later === steps.later && this.drawn.steps === steps)) return;
    this.show({
      ...this.drawn,
      steps,
      pair: pair.later === steps.later ? pair : { ...pair, later: steps.later },
    });
  }

  /** @param patient Wait and ask again, once, where the service asks for patience. */
  private begin(patient: boolean): void {
    const wish = this.wished!;
    const last = this.loading;
    const controller = new AbortController();
    this.loading = controller;
    const { signal } = controller;
    const settled = this.showHeld(wish);
    const waitsUntil = this.patientUntil > Date.now() ? this.patientUntil : undefined;
    if (!settled) {
      const stale = this.drawn.pair !== undefined && !isOf(this.drawn, wish);
      this.show({ ...this.drawn, settled: false, stale, error: undefined, limitedUntil: waitsUntil });
    }
    const work = settled ? this.loadAhead(wish, signal) : this.load(wish, signal);
    // After the new requests have begun: those that both want go on.
    last.abort();
    work.catch((error: unknown) => {
      if (signal.aborted) return;
      if (error instanceof ServiceError && error.status === 429) {
        this.patientUntil = Date.now() + (error.retryAfter ? 1000 * error.retryAfter : PATIENCE_MS);
        if (patient && !this.drawn.settled) return this.begin(false);
      }
      // What was fetched ahead is asked for again when it is wished for, and says then what is wrong.
      if (!this.drawn.settled) this.show({ ...this.drawn, limitedUntil: undefined, error: error as Error });
    });
  }

  /** Draws the best that is held of the steps wished for. @returns Whether that is all that the view needs. */
  private showHeld(wish: Wish): boolean {
    const plans = planView(wish.steps.run.levels, wish.box);
    for (const [index, plan] of [...plans.entries()].reverse()) {
      const [before, after] = this.pairOf(wish, plan);
      const whole = [this.store.complete(before), this.store.complete(after)] as const;
      const held = whole[0] && whole[1] ? whole : [this.store.partial(before), this.store.partial(after)];
      if (!held[0] || !held[1]) continue;
      const settled = index === plans.length - 1 && held === whole && wish.box !== undefined;
      this.draw(wish, held[0], held[1], settled);
      return settled;
    }
    return false;
  }

  private draw(wish: Wish, before: Frame, after: Frame, settled: boolean): void {
    const { variable } = wish;
    // The instant may have moved on between the steps meanwhile.
    const { steps } = this.wished ?? wish;
    const { pair: last } = this.drawn;
    const same = last?.before === before && last.after === after && last.later === steps.later;
    const pair = same ? last : { before, after, later: steps.later };
    this.show({ ...emptyField, pair, variable, steps, settled });
  }

  private async load(wish: Wish, signal: AbortSignal): Promise<void> {
    // No await but where there is something to wait for: what the last wish asked for is joined before it is stopped.
    if (this.patientUntil > Date.now()) await until(this.patientUntil, signal);
    const plans = planView(wish.steps.run.levels, wish.box);
    const fine = plans.at(-1);
    const coarse = plans.length > 1 ? plans[0] : undefined;
    let base: [Frame, Frame] | undefined;
    if (coarse && fine) {
      if (!this.pairOf(wish, fine).every((wanted) => this.store.partial(wanted))) {
        base = await this.loadPair(this.pairOf(wish, coarse), undefined, signal);
        this.draw(wish, ...base, false);
      }
      if (this.restUntil > Date.now()) await until(this.restUntil, signal);
    }
    if (!fine) return;
    const ahead = this.ahead;
    const loading = this.loadPair(this.pairOf(wish, fine), base, signal);
    ahead.abort();
    const frames = await loading;
    this.draw(wish, ...frames, wish.box !== undefined);
    if (wish.box) await this.loadAhead(wish, signal);
  }

  private async loadPair(
    [before, after]: [FrameRequest, FrameRequest],
    coarse: [Frame, Frame] | undefined,
    signal: AbortSignal,
  ): Promise<[Frame, Frame]> {
    const frames = await Promise.all([
      this.store.load(before, coarse?.[0], true, signal),
      this.store.load(after, coarse?.[1], true, signal),
    ]);
    signal.throwIfAborted();
    return frames;
  }

  /** Fetches the steps around, one after the other, as far as there is room for them. */
  private async loadAhead(wish: Wish, signal: AbortSignal): Promise<void> {
    await until(Math.max(this.patientUntil, Date.now() + AHEAD_MS), signal);
    const ahead = new AbortController();
    this.ahead = ahead;
    const bytes = this.drawn.pair?.before.values.byteLength ?? 0;
    let room = this.store.budget * AHEAD_SHARE - 2 * bytes;
    for (const steps of this.wished?.around ?? []) {
      const [coarse, fine] = planView(steps.run.levels, wish.box);
      const plan = fine ?? coarse;
      if (!plan || !coarse) continue;
      const [before, after] = this.pairOf({ ...wish, steps }, plan);
      for (const wanted of before.time === after.time ? [before] : [before, after]) {
        room -= bytes;
        // What goes on after a new wish is what that may want too; nothing new begins.
        if (room < 0 || signal.aborted) return;
        if (this.store.complete(wanted)) continue;
        const needsBase = !plan.isWhole && !this.store.partial(wanted);
        const base = needsBase
          ? await this.store.load({ ...wanted, plan: coarse }, undefined, false, ahead.signal)
          : undefined;
        await this.store.load(wanted, base, false, ahead.signal);
      }
    }
  }

  private pairOf({ variable, steps }: Wish, plan: FrameRequest["plan"]): [FrameRequest, FrameRequest] {
    const { run, frames } = steps.run;
    const at = (time: string): FrameRequest => ({ run, variable, frames, time, plan });
    return [at(steps.before), at(steps.after)];
  }
}

/** What tells one set of requests from another: not the instant between two steps. */
function identityOf({ variable, steps, box }: Wish): string {
  const { run, before, after } = steps;
  const plans = planView(run.levels, box).map(({ level, grid, names }) => [
    level,
    grid.latitude.start,
    grid.longitude.start,
    ...names,
  ]);
  return JSON.stringify([run.frames, variable, before, after, box !== undefined, plans]);
}

function isOf({ variable, steps }: Pick<DrawnField, "variable" | "steps">, wish: Wish): boolean {
  return (
    variable === wish.variable &&
    steps?.run.run === wish.steps.run.run &&
    steps.before === wish.steps.before &&
    steps.after === wish.steps.after
  );
}

/** Waits until a time, milliseconds since 1970. Rejects with the signal's reason. */
function until(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, time - Date.now());
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
