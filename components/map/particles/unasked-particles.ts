import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapHost, MapLayer } from "#components/map/map-layer.ts";
import { particlesSpeed, unaskedParticles } from "#components/view-state/particles.ts";

/** Offers particles for as long as the map is open. */
export function particlesOffer({ map, probe }: MapHost): MapLayer {
  const isStill = probe || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return { close: isStill ? undefined : offerParticles(map) };
}

/**
 * Draws particles unasked where they were fast; where that is not known, once the map was used, so that they can be
 * measured. Never where the processor draws in place of a GPU.
 *
 * @returns Ends it.
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

/** Keeps what was measured; particles that nobody asked for go where they are slow. */
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

/** Whether a renderer is a program: SwiftShader of Chromium, llvmpipe of Mesa, WARP of Windows, Apple's. */
export function isSoftware(renderer: string): boolean {
  return renderer === "" || /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}
