import type { Context } from "#server/context.ts";

/** Seconds. */
const VALID_S = 1;

/**
 * What is found out at most once a second and told to all who ask: nobody can keep the service busy by asking.
 *
 * @param find Finds it out, for one context at a time.
 */
export function onceASecond<Result>(
  find: (context: Context) => Promise<Result>,
): (context: Context) => Promise<Result> {
  const latest = new WeakMap<Context, { until: number; result: Promise<Result> }>();
  return (context) => {
    const known = latest.get(context);
    if (known && context.clock.now() < known.until) return known.result;
    const found = { until: Number.POSITIVE_INFINITY, result: find(context) };
    latest.set(context, found);
    const end = () => {
      found.until = context.clock.now() + VALID_S;
    };
    found.result.then(end, end);
    return found.result;
  };
}
