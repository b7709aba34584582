import type { Map as MapLibreMap } from "maplibre-gl";
import { landTest } from "#components/map/land/land-test.ts";
import type { MapHost, MapLayer } from "#components/map/map-layer.ts";
import { globeView, type MapView, mercatorView } from "#components/map/map-view.ts";
import type { Scene } from "#components/map/scene.ts";
import { type LabelBox, watchLabels } from "#components/map/symbols/placed-symbols.ts";
import { mapColours, rgbaOf } from "#components/view-state/map-colours.ts";
import { isStillByDefault, unaskedParticles } from "#components/view-state/particles.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { ParticleBudget, type ParticleInks, ParticleSystem } from "./particle-system.ts";
import { reportSpeed } from "./unasked-particles.ts";
import {
  hasFlow,
  type LandMask,
  landMask,
  type VelocityGrid,
  velocityGrid,
  withoutLabels,
} from "./velocity-grid.ts";

/**
 * Particles that move with wind or current. They have their own canvas above the map, so that the map, which
 * is far more expensive, is not redrawn with them.
 *
 * With reduced motion, and on slow devices that were not told to move them, their trails are a still picture.
 * There are none while the camera moves or in a hidden tab.
 */
export function particlesMapLayer(host: MapHost): MapLayer {
  const { map, element, probe } = host;
  const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
  let scene: Scene | undefined;
  let canvas: ParticleCanvas | undefined;
  let current: { view: MapView; mask: LandMask } | undefined;
  let labels: LabelBox[] = [];

  const stop = () => {
    current = undefined;
    canvas?.pause();
  };
  /** Updates the flow for the scene and the view. */
  const update = () => {
    const pair = scene && flowingPair(scene);
    if (!scene || !pair) {
      canvas?.remove();
      canvas = undefined;
      current = undefined;
      return;
    }
    const onLand = landOf();
    if (!onLand) return;
    if (map.isMoving()) return;
    canvas ??= new ParticleCanvas(map.getCanvasContainer(), element, probe);
    const restart = current === undefined;
    if (!current) {
      const view = viewOf(map, scene.projection === "globe");
      current = { view, mask: landMask(view, onLand) };
    }
    const { view, mask } = current;
    const grid = velocityGrid(view, pair, withoutLabels(view, mask, labels));
    if (!grid) return;
    const isStill = probe || reducedMotion.matches || isStillByDefault();
    canvas.run(grid, view.width, view.height, { restart, isStill });
  };
  const landOf = landTest(host, update);
  // Labels are placed after the map has moved, and numbers of lines change with the time.
  const unwatchLabels = watchLabels(
    map,
    () => current !== undefined,
    (now) => {
      labels = now;
      update();
    },
  );
  map.on("movestart", stop);
  map.on("moveend", update);
  map.on("resize", stop);
  map.on("resize", update);
  reducedMotion.addEventListener("change", update);
  const unsubscribe = unaskedParticles.subscribe(update);

  return {
    draw(next, last) {
      scene = next;
      if (next.theme !== last?.theme) canvas?.paint();
      const turned = next.projection !== last?.projection;
      if (turned) stop();
      if (turned || flowingPair(next) !== (last && flowingPair(last))) update();
    },
    close() {
      scene = undefined;
      unwatchLabels();
      map.off("movestart", stop);
      map.off("moveend", update);
      map.off("resize", stop);
      map.off("resize", update);
      reducedMotion.removeEventListener("change", update);
      unsubscribe();
      canvas?.remove();
    },
  };
}

/** The frames that move the particles: the first pair that contains a flow. */
function flowingPair({ symbols }: Scene): FramePair | undefined {
  return symbols.find(({ kind, pair }) => kind === "particles" && hasFlow(pair.before))?.pair;
}

function viewOf(map: MapLibreMap, globe: boolean): MapView {
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  const { lat: latitude, lng: longitude } = map.getCenter();
  const camera = { width, height, zoom: map.getZoom(), centre: { latitude, longitude } };
  return globe ? globeView(camera) : mercatorView(camera);
}

/** Square CSS pixels per particle. */
const PIXELS_PER_PARTICLE = 320;
const MAX_PARTICLES = 20_000;
/** Longest step after a slow frame, seconds, so that particles do not jump. */
const MAX_STEP = 0.1;
/** Number of steps after which a still picture has its trails, and their length. */
const STILL = { steps: 15, seconds: 0.07 };
/** A fixed seed makes particles start at the same places each time. */
const SEED = 20_261_121;

/** The canvas of the particles and their clock. */
class ParticleCanvas {
  private readonly canvas: HTMLCanvasElement;
  private readonly gl: WebGL2RenderingContext | null;
  private readonly themed: Element;
  private system: ParticleSystem | undefined;
  private budget: ParticleBudget | undefined;
  private inks: ParticleInks = { fast: [1, 1, 1, 0.9], slow: [1, 1, 1, 0.6], edge: [0, 0, 0, 0.4] };
  private request = 0;
  private last = 0;
  private running = false;
  private still = false;

  /**
   * @param themed Element whose computed style has the tokens of the theme.
   * @param isRead Whether pixel tests read the canvas.
   */
  constructor(container: HTMLElement, themed: Element, isRead: boolean) {
    this.themed = themed;
    this.canvas = document.createElement("canvas");
    this.canvas.dataset.testid = "particles";
    this.canvas.setAttribute("aria-hidden", "true");
    Object.assign(this.canvas.style, {
      position: "absolute",
      inset: "0",
      width: "100%",
      height: "100%",
      pointerEvents: "none",
    });
    this.gl = this.canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      preserveDrawingBuffer: isRead,
    });
    this.canvas.addEventListener("webglcontextlost", this.onContextLost);
    document.addEventListener("visibilitychange", this.updateClock);
    container.append(this.canvas);
    this.paint();
  }

  /** Reads the colours of the theme. */
  paint(): void {
    const colours = mapColours(this.themed);
    this.inks = {
      fast: rgbaOf(colours.particle),
      slow: rgbaOf(colours["particle-slow"]),
      edge: rgbaOf(colours["particle-edge"]),
    };
    if (this.still && this.running) this.system?.show(this.inks);
  }

  /**
   * Moves particles with a flow, or draws a still picture of it.
   *
   * @param restart The view changed, so all particles are placed again.
   */
  run(
    grid: VelocityGrid,
    width: number,
    height: number,
    { restart, isStill }: { restart: boolean; isStill: boolean },
  ): void {
    if (!this.gl || this.gl.isContextLost()) return;
    const started = this.system !== undefined;
    this.system ??= new ParticleSystem(this.gl, SEED);
    this.system.flow(grid);
    const count = Math.round((width * height) / PIXELS_PER_PARTICLE);
    this.budget ??= new ParticleBudget(Math.min(MAX_PARTICLES, count));
    if (restart || !started || isStill || this.still) {
      const ratio = Math.min(2, window.devicePixelRatio);
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.system.restart(width, height);
      this.canvas.style.visibility = "visible";
    }
    this.running = true;
    this.still = isStill;
    if (isStill) {
      this.stopClock();
      this.drawStill(this.system, this.budget.count);
    } else this.updateClock();
  }

  /** Hides the particles until the next `run`. */
  pause(): void {
    this.running = false;
    this.canvas.style.visibility = "hidden";
    this.stopClock();
  }

  remove(): void {
    this.pause();
    document.removeEventListener("visibilitychange", this.updateClock);
    this.canvas.removeEventListener("webglcontextlost", this.onContextLost);
    this.system?.destroy();
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.remove();
  }

  private stopClock(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.last = 0;
    this.budget?.reset();
  }

  /** Runs the clock while the particles are visible. */
  private readonly updateClock = () => {
    if (document.hidden || !this.running) this.stopClock();
    else if (this.request === 0 && !this.still) this.request = requestAnimationFrame(this.tick);
  };

  /** The particles are lost with the context; the next `run` after it is restored creates them again. */
  private readonly onContextLost = (event: Event) => {
    event.preventDefault();
    this.running = false;
    this.stopClock();
    this.system = undefined;
  };

  private readonly tick = (now: number) => {
    this.request = requestAnimationFrame(this.tick);
    const { system, budget } = this;
    if (!system || !budget) return;
    const elapsed = this.last === 0 ? 0 : now - this.last;
    this.last = now;
    const count = elapsed > 0 ? budget.frame(elapsed) : budget.count;
    if (budget.speed) reportSpeed(budget.speed);
    this.canvas.dataset.count = String(count);
    system.step(count, Math.min(MAX_STEP, elapsed / 1000));
    system.show(this.inks);
  };

  private drawStill(system: ParticleSystem, count: number): void {
    for (let step = 0; step < STILL.steps; step++) system.step(count, STILL.seconds);
    system.show(this.inks);
    this.canvas.dataset.count = String(count);
  }
}
