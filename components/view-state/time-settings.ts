import { deviceSetting } from "./device-setting.ts";
import type { StepHours } from "./time-window.ts";

/** Steps of the time bar: those of the model, or hours. */
export const stepSetting = deviceSetting("metocean-time-step", ["model", "1", "3", "6"]);

export const speedSetting = deviceSetting("metocean-play-speed", ["normal", "slow", "fast"]);

/** Minimum dwell on a step while playing, ms: long enough to see it. */
export const dwellMs = { slow: 1200, normal: 500, fast: 150 } as const;

/** The step of the time bar that this device has chosen. */
export function useStepHours(): StepHours {
  const step = stepSetting.use();
  return step === "model" ? undefined : (Number(step) as StepHours);
}
