import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapHost, MapLayer } from "#components/map/map-layer.ts";
import { particlesSpeed, unaskedParticles } from "#components/view-state/particles.ts";

/**
 * Draws particles by default. They move on devices that were not measured to be too slow for them; elsewhere,
 * and if the processor renders instead of a GPU, they are a still picture.
 */
export function particlesOffer({ map, probe }: MapHost): MapLayer {
  if (!probe) {
    const isSlow = particlesSpeed.read() === "slow" || isSoftware(rendererOf(map));
    unaskedParticles.set(isSlow ? "still" : "moving");
  }
  return {};
}

/** Stores the measured speed; particles that move by default stand still if they are slow. */
export function reportSpeed(speed: "fast" | "slow"): void {
  if (particlesSpeed.read() !== "unknown") return;
  particlesSpeed.set(speed);
  if (speed === "slow") unaskedParticles.set("still");
}

function rendererOf(map: MapLibreMap): string {
  const gl = map.getCanvas().getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  return String(gl?.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER) ?? "");
}

/** Whether a renderer is software: SwiftShader of Chromium, llvmpipe of Mesa, WARP of Windows, Apple's. */
export function isSoftware(renderer: string): boolean {
  return renderer === "" || /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}
