import { useSyncExternalStore } from "react";
import { createStore } from "#lib/store.ts";
import { deviceSetting, useDataUse } from "./device-setting.ts";

/** The choice of this device; `auto` draws them where the machine is fast enough. */
export const particlesChoice = deviceSetting("metocean-particles", ["auto", "on", "off"]);

/** What was measured when particles were drawn here first. */
export const particlesSpeed = deviceSetting("metocean-particles-speed", ["unknown", "fast", "slow"]);

/** Whether they are drawn unasked; components/map/particles decides it. */
export const unaskedParticles = createStore(() => false);

/**
 * Whether particles move over the map: a choice of the device wins over the link, and the link over what the machine can.
 *
 * @param linked The link names them.
 */
export function useParticles(linked: boolean): boolean {
  const choice = particlesChoice.use();
  const unasked = useSyncExternalStore(unaskedParticles.subscribe, unaskedParticles.read, () => false);
  // They cost no data but power, which is as scarce where data is.
  const isLight = useDataUse() === "light";
  return choice === "on" || (choice === "auto" && !isLight && (linked || unasked));
}
