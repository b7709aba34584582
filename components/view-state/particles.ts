import { useSyncExternalStore } from "react";
import { createStore } from "#lib/store.ts";
import { deviceSetting, useDataUse } from "./device-setting.ts";
import { useMediaQuery } from "./use-browser.ts";

/** The choice of this device; `auto` draws them if the machine is fast enough. */
export const particlesChoice = deviceSetting("metocean-particles", ["auto", "on", "off"]);

/** Speed measured when particles were first drawn on this device. */
export const particlesSpeed = deviceSetting("metocean-particles-speed", ["unknown", "fast", "slow"]);

/** How they are drawn by default: moving, as a still picture, or not at all. */
type UnaskedParticles = "none" | "still" | "moving";

/** components/map/particles decides it, once a map is open. */
export const unaskedParticles = createStore<UnaskedParticles>(() => "none");

/** Whether the device draws a still picture, because it was not told to move the particles. */
export function isStillByDefault(): boolean {
  return particlesChoice.read() !== "on" && unaskedParticles.read() === "still";
}

/** Whether the particles of this device are a still picture. */
export function useStillParticles(): boolean {
  const reducedMotion = useMediaQuery("(prefers-reduced-motion: reduce)") === true;
  const choice = particlesChoice.use();
  const unasked = useSyncExternalStore(unaskedParticles.subscribe, unaskedParticles.read, () => "none");
  return reducedMotion || (choice !== "on" && unasked === "still");
}

/**
 * Whether particles are drawn on the map, moving or still. A choice of the device takes precedence over the link, and the link
 * over the machine's ability.
 *
 * @param linked Whether the link names them.
 */
export function useParticles(linked: boolean): boolean {
  const choice = particlesChoice.use();
  const unasked = useSyncExternalStore(unaskedParticles.subscribe, unaskedParticles.read, () => "none");
  // They use no data but power, which is scarce where data is.
  const isLight = useDataUse() === "light";
  return choice === "on" || (choice === "auto" && !isLight && (linked || unasked !== "none"));
}
