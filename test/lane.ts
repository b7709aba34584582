import { COMPUTING_SHARE, Lane, type LaneLimits } from "#server/http/lane.ts";

const limits: LaneLimits = {
  running: 2,
  runningOfOwner: 1,
  waiting: 4,
  waitingOfOwner: 3,
  // To wait and to compute it has nine.
  answerSeconds: 9 / COMPUTING_SHARE,
  stops: true,
  bytes: 100,
  bytesOfOwner: 60,
  expected: { ms: 1, size: 1 },
};

/** A lane on the clock of the tests. */
export const openLane = (more: Partial<LaneLimits> = {}) => new Lane({ ...limits, ...more }, Date.now);

/** Begins a computation of an owner; its name joins `started` when it starts. */
export function beginIn(
  lane: Lane,
  owner: string,
  { started = [] as string[], bytes = 0, name = owner, arrived = Date.now(), kind = "" } = {},
) {
  const gate = Promise.withResolvers<string>();
  const aborter = new AbortController();
  let signal: AbortSignal | undefined;
  const ended = (async () => {
    const place = await lane.enter(owner, bytes, aborter.signal, { arrived, kind });
    const result = await place.compute((given) => {
      signal = given;
      started.push(name);
      return gate.promise;
    });
    return { result, place };
  })();
  ended.catch(() => undefined);
  return {
    ended,
    finish: () => gate.resolve(name),
    fail: gate.reject,
    leave: () => aborter.abort(),
    signal: () => signal,
  };
}
