import { useSyncExternalStore } from "react";
import { createStore } from "#lib/store.ts";
import { deviceSetting, useDataUse } from "./device-setting.ts";

/** The choice of this device; `auto` draws them if the machine is fast enough. */
export const particlesChoice = deviceSetting("metocean-particles", ["auto", "on", "off"]);

/** Speed measured when particles were first drawn on this device. */
export const particlesSpeed = deviceSetting("metocean-particles-speed", ["unknown", "fast", "slow"]);

/** Whether they are drawn by default; components/map/particles decides it. */
export const unaskedParticles = createStore(() => false);

/**
 * Whether particles move over the map. A choice of the device takes precedence over the link, and the link
 * over the machine's ability.
 *
 * @param linked Whether the link names them.
 */
export function useParticles(linked: boolean): boolean {
  const choice = particlesChoice.use();
  const unasked = useSyncExternalStore(unaskedParticles.subscribe, unaskedParticles.read, () => false);
  // They use no data but power, which is scarce where data is.
  const isLight = useDataUse() === "light";
  return choice === "on" || (choice === "auto" && !isLight && (linked || unasked));
}
