// Loaded before a process of a test (`--import`): its clock is wrong by CLOCK_SHIFT_S seconds. Durations are right.
const shiftMs = 1000 * Number(process.env.CLOCK_SHIFT_S ?? 0);

globalThis.Date = new Proxy(Date, {
  construct: (real, args, target) =>
    Reflect.construct(real, args.length === 0 ? [real.now() + shiftMs] : args, target),
  get: (real, name) => (name === "now" ? () => real.now() + shiftMs : Reflect.get(real, name)),
});
