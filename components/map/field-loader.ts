import type { ViewBox } from "@open-metocean/geo/box";
import { isOutage, ServiceError } from "#components/api-client/api-fetch.ts";
import type { StepPair } from "#components/view-state/timeline.ts";
import type { PaintedName } from "#lib/catalog/painted.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { FrameRequest, FrameStore } from "./frame-store.ts";
import { planView } from "./view-plan.ts";

/** The field that the map should draw. */
export interface FieldRequest {
  variable: PaintedName;
  /** The steps around the displayed instant; undefined if the archive has none. */
  steps: StepPair | undefined;
  /**
   * Steps of instants that are likely next, most likely first; they are prefetched when nothing else is
   * loading.
   */
  around: readonly StepPair[];
  /** Time is playing; the steps in `around` are prefetched immediately. */
  isPlaying?: boolean | undefined;
  /** Visible area; undefined until the map is open. */
  box: ViewBox | undefined;
}

/** The field that the map draws, and its loading state. */
export interface DrawnField {
  /**
   * The last field that was read. It is retained while the next one loads, so that the map is never blank.
   */
  pair: FramePair | undefined;
  /** Variable and steps of `pair`. */
  variable: PaintedName | undefined;
  steps: StepPair | undefined;
  /** `pair` is what was requested, at the level that the view needs. */
  settled: boolean;
  /** `pair` belongs to another variable or instant than requested. */
  stale: boolean;
  /** The rate limit was exceeded; the request is retried at this time, milliseconds since 1970. */
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

/**
 * Time without a new request after which fine frames are loaded, and after which the next steps are
 * prefetched; milliseconds.
 */
const SETTLE_MS = 120;
const PREFETCH_MS = 300;

/** Delay of the retry after a 429 without Retry-After, milliseconds. */
const RETRY_MS = 5000;

/** Share of the frame store that prefetched frames may take. */
const PREFETCH_SHARE = 0.75;

type StepsRequest = FieldRequest & { steps: StepPair };

/**
 * Loads what the map requests: cached frames immediately; otherwise the coarsest level, then the finest that
 * suits the view; then, if the request has not changed for a while, the steps around it. Superseded requests
 * are aborted.
 */
export class FieldLoader {
  private readonly store: FrameStore;
  private readonly onChange: (drawn: DrawnField) => void;
  private drawn = emptyField;
  private current: StepsRequest | undefined;
  private identity = "";
  private loading = new AbortController();
  private prefetching = new AbortController();
  private limitedUntil = 0;
  /** A part of the drawn view could not be read and shows a coarser level. */
  private isIncomplete = false;
  private settledAt = 0;

  /** @param onChange Called with every change of the field to draw. */
  constructor(store: FrameStore, onChange: (drawn: DrawnField) => void) {
    this.store = store;
    this.onChange = onChange;
  }

  request(request: FieldRequest): void {
    const { steps } = request;
    if (!steps) {
      this.close();
      this.identity = "";
      this.current = undefined;
      if (this.drawn !== emptyField) this.show(emptyField);
      return;
    }
    const next = { ...request, steps };
    // The fine level is not needed while the user scrubs.
    if (this.current && !isOf(this.current, next)) this.settledAt = Date.now() + SETTLE_MS;
    const isPrefetchWanted = this.current?.around.length === 0 && next.around.length > 0;
    this.current = next;
    const identity = identityOf(next);
    if (identity === this.identity && !(isPrefetchWanted && this.drawn.settled)) this.moveInTime(next);
    else {
      this.identity = identity;
      this.begin(true);
    }
  }

  /** Loads again after an error. */
  retry(): void {
    if (this.current) this.begin(true);
  }

  /**
   * The service is available again: retries if it could not be reached or failed with a server error, or if a part of
   * the view was not among what is saved.
   */
  recover(): void {
    const { error } = this.drawn;
    if (this.isIncomplete || (error instanceof ServiceError && isOutage(error))) this.retry();
  }

  /** Aborts all requests. */
  close(): void {
    this.loading.abort();
    this.prefetching.abort();
  }

  private show(drawn: DrawnField): void {
    this.drawn = drawn;
    this.onChange(drawn);
  }

  /** Draws the same frames at another instant between them. */
  private moveInTime({ steps }: StepsRequest): void {
    const { pair, stale } = this.drawn;
    if (!pair || stale || (pair.later === steps.later && this.drawn.steps === steps)) return;
    this.show({
      ...this.drawn,
      steps,
      pair: pair.later === steps.later ? pair : { ...pair, later: steps.later },
    });
  }

  /** @param retries Whether to retry once when the rate limit allows it. */
  private begin(retries: boolean): void {
    const request = this.current!;
    const last = this.loading;
    const controller = new AbortController();
    this.loading = controller;
    const { signal } = controller;
    const settled = this.showCached(request);
    this.isIncomplete = false;
    const limitedUntil = this.limitedUntil > Date.now() ? this.limitedUntil : undefined;
    if (!settled) {
      const stale = this.drawn.pair !== undefined && !isOf(this.drawn, request);
      this.show({ ...this.drawn, settled: false, stale, error: undefined, limitedUntil });
    }
    const loading = settled ? this.prefetch(request, signal) : this.load(request, signal);
    // The previous request is aborted only now, so that fetches that both requests share continue.
    last.abort();
    loading.catch((error: unknown) => {
      if (signal.aborted) return;
      if (error instanceof ServiceError && error.status === 429) {
        this.limitedUntil = Date.now() + (error.retryAfter ? 1000 * error.retryAfter : RETRY_MS);
        if (retries && !this.drawn.settled) return this.begin(false);
      }
      // A failed prefetch is repeated when the step is requested; its error is shown then.
      if (!this.drawn.settled) this.show({ ...this.drawn, limitedUntil: undefined, error: error as Error });
    });
  }

  /**
   * Draws the best cached frames of the requested steps. @returns Whether they are everything that the view
   * needs.
   */
  private showCached(request: StepsRequest): boolean {
    const plans = planView(request.steps.run.levels, request.box);
    for (const [index, plan] of [...plans.entries()].reverse()) {
      const [before, after] = this.pairOf(request, plan);
      const complete = [this.store.complete(before), this.store.complete(after)] as const;
      const isComplete = complete[0] !== undefined && complete[1] !== undefined;
      const cached = isComplete ? complete : [this.store.partial(before), this.store.partial(after)];
      if (!cached[0] || !cached[1]) continue;
      const settled = index === plans.length - 1 && isComplete && request.box !== undefined;
      this.draw(request, cached[0], cached[1], settled);
      return settled;
    }
    return false;
  }

  private draw(request: StepsRequest, before: Frame, after: Frame, settled: boolean): void {
    const { variable } = request;
    // The instant may have moved between the steps in the meantime.
    const { steps } = this.current ?? request;
    const { pair: last } = this.drawn;
    const same = last?.before === before && last.after === after && last.later === steps.later;
    const pair = same ? last : { before, after, later: steps.later };
    this.show({ ...emptyField, pair, variable, steps, settled });
  }

  private async load(request: StepsRequest, signal: AbortSignal): Promise<void> {
    // Only pending work is awaited, so that fetches of the previous request are joined before it is aborted.
    if (this.limitedUntil > Date.now()) await until(this.limitedUntil, signal);
    const plans = planView(request.steps.run.levels, request.box);
    const fine = plans.at(-1);
    const coarse = plans.length > 1 ? plans[0] : undefined;
    let base: [Frame, Frame] | undefined;
    if (coarse && fine) {
      if (!this.pairOf(request, fine).every((frame) => this.store.partial(frame))) {
        base = await this.loadPair(this.pairOf(request, coarse), undefined, signal);
        this.draw(request, ...base, false);
      }
      if (this.settledAt > Date.now()) await until(this.settledAt, signal);
    }
    if (!fine) return;
    const { prefetching } = this;
    const loading = this.loadPair(this.pairOf(request, fine), base, signal);
    prefetching.abort();
    const frames = await loading;
    this.isIncomplete = this.pairOf(request, fine).some(
      (frame) => this.store.partial(frame) && !this.store.complete(frame),
    );
    this.draw(request, ...frames, request.box !== undefined);
    if (request.box) await this.prefetch(request, signal);
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

  /** Prefetches the steps in `around`, one after another, within the memory limit. */
  private async prefetch(request: StepsRequest, signal: AbortSignal): Promise<void> {
    const delay = request.isPlaying ? 0 : PREFETCH_MS;
    await until(Math.max(this.limitedUntil, Date.now() + delay), signal);
    const prefetching = new AbortController();
    this.prefetching = prefetching;
    const bytes = this.drawn.pair?.before.values.byteLength ?? 0;
    let bytesLeft = this.store.budget * PREFETCH_SHARE - 2 * bytes;
    for (const steps of this.current?.around ?? []) {
      const [coarse, fine] = planView(steps.run.levels, request.box);
      const plan = fine ?? coarse;
      if (!plan || !coarse) continue;
      const [before, after] = this.pairOf({ ...request, steps }, plan);
      for (const frame of before.time === after.time ? [before] : [before, after]) {
        bytesLeft -= bytes;
        // After a new request the running fetch continues, because the new request may need it, but no other
        // one starts.
        if (bytesLeft < 0 || signal.aborted) return;
        if (this.store.complete(frame)) continue;
        const needsBase = !plan.isWhole && !this.store.partial(frame);
        const base = needsBase
          ? await this.store.load({ ...frame, plan: coarse }, undefined, false, prefetching.signal)
          : undefined;
        await this.store.load(frame, base, false, prefetching.signal);
      }
    }
  }

  private pairOf(
    { variable, steps }: StepsRequest,
    plan: FrameRequest["plan"],
  ): [FrameRequest, FrameRequest] {
    const { run, frames } = steps.run;
    const at = (time: string): FrameRequest => ({ run, variable, frames, time, plan });
    return [at(steps.before), at(steps.after)];
  }
}

/** Identifies the frames of a request; the instant between its two steps does not matter. */
function identityOf({ variable, steps, box }: StepsRequest): string {
  const { run, before, after } = steps;
  const plans = planView(run.levels, box).map(({ level, grid, names }) => [
    level,
    grid.latitude.start,
    grid.longitude.start,
    ...names,
  ]);
  return JSON.stringify([run.frames, variable, before, after, box !== undefined, plans]);
}

function isOf({ variable, steps }: Pick<DrawnField, "variable" | "steps">, request: StepsRequest): boolean {
  return (
    variable === request.variable &&
    steps?.run.run === request.steps.run.run &&
    steps.before === request.steps.before &&
    steps.after === request.steps.after
  );
}

/** Waits until a time, milliseconds since 1970. It rejects with the signal's reason. */
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
