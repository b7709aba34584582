import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapHost, MapLayer } from "#components/map/map-layer.ts";
import { particlesSpeed, unaskedParticles } from "#components/view-state/particles.ts";

/** Offers particles while the map is open. */
export function particlesOffer({ map, probe }: MapHost): MapLayer {
  const isStill = probe || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return { close: isStill ? undefined : offerParticles(map) };
}

/**
 * Draws particles by default on devices where they were measured to be fast. If the speed is unknown, they
 * are drawn once the user has interacted with the map, so that they can be measured. They are never drawn by
 * default if the processor renders instead of a GPU.
 *
 * @returns Function that ends it.
 */
function offerParticles(map: MapLibreMap): () => void {
  const onUse = ({ originalEvent }: { originalEvent?: unknown }) => {
    if (!originalEvent) return;
    map.off("movestart", onUse);
    unaskedParticles.set(true);
  };
  const speed = particlesSpeed.read();
  if (speed !== "slow" && !isSoftware(rendererOf(map))) {
    if (speed === "fast") unaskedParticles.set(true);
    else map.on("movestart", onUse);
  }
  return () => void map.off("movestart", onUse);
}

/** Stores the measured speed; particles that were drawn by default are removed if they are slow. */
export function reportSpeed(speed: "fast" | "slow"): void {
  if (particlesSpeed.read() !== "unknown") return;
  particlesSpeed.set(speed);
  if (speed === "slow") unaskedParticles.set(false);
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
