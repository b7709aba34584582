import { ParticleBudget } from "./particle-budget.ts";
import { ParticleSystem, type Rgba } from "./particle-system.ts";
import type { VelocityGrid } from "./velocity-grid.ts";

/** Square CSS pixels that a particle has for itself, and how many there are at most. */
const ROOM = 320;
const MOST = 20_000;
/** A slow frame moves particles by no more than this, seconds, so that they do not jump. */
const LONGEST_STEP = 0.1;
/** Tests see this many steps of this length, and then a still picture. */
const PROBED = { steps: 40, seconds: 1 / 60 };
/** Particles begin in the same places each time. */
const SEED = 20_261_121;

/** The canvas that particles are drawn on, and their clock. */
export class ParticleCanvas {
  private readonly canvas: HTMLCanvasElement;
  private readonly gl: WebGL2RenderingContext | null;
  private readonly themed: Element;
  private readonly probe: boolean;
  private system: ParticleSystem | undefined;
  private guard: ParticleBudget | undefined;
  private ink: Rgba = [1, 1, 1, 0.9];
  private edge: Rgba = [0, 0, 0, 0.4];
  private request = 0;
  private last = 0;
  private floating = false;

  /**
   * @param themed Where the tokens of the theme are in force.
   * @param probe Tests look: a fixed number of steps, then rest.
   */
  constructor(container: HTMLElement, themed: Element, probe: boolean) {
    this.themed = themed;
    this.probe = probe;
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
      preserveDrawingBuffer: probe,
    });
    this.canvas.addEventListener("webglcontextlost", this.lose);
    document.addEventListener("visibilitychange", this.watch);
    container.append(this.canvas);
    this.paint();
  }

  /** Reads the colours of the theme. */
  paint(): void {
    const style = getComputedStyle(this.themed);
    this.ink = rgbaOf(style.getPropertyValue("--map-particle"));
    this.edge = rgbaOf(style.getPropertyValue("--map-particle-edge"));
  }

  /**
   * Lets particles float in a flow.
   *
   * @param anew The view changed: they begin anew.
   */
  float(grid: VelocityGrid, width: number, height: number, anew: boolean): void {
    if (!this.gl || this.gl.isContextLost()) return;
    const begun = this.system !== undefined;
    this.system ??= new ParticleSystem(this.gl, SEED);
    this.system.flow(grid);
    this.guard ??= new ParticleBudget(Math.min(MOST, Math.round((width * height) / ROOM)));
    if (anew || !begun || this.probe) {
      const ratio = Math.min(2, window.devicePixelRatio);
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.system.restart(width, height);
      this.canvas.style.visibility = "visible";
    }
    this.floating = true;
    if (this.probe) this.still(this.system, this.guard.count);
    else this.watch();
  }

  /** Takes the particles off the map until they float again. */
  pause(): void {
    this.floating = false;
    this.canvas.style.visibility = "hidden";
    this.rest();
  }

  remove(): void {
    this.pause();
    document.removeEventListener("visibilitychange", this.watch);
    this.canvas.removeEventListener("webglcontextlost", this.lose);
    this.system?.destroy();
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.remove();
  }

  private rest(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.last = 0;
    this.guard?.reset();
  }

  /** Runs the clock while there is something to see. */
  private readonly watch = () => {
    if (document.hidden || !this.floating) this.rest();
    else if (this.request === 0 && !this.probe) this.request = requestAnimationFrame(this.tick);
  };

  /** A lost context takes the particles with it; the next view or instant makes them anew once there is one again. */
  private readonly lose = (event: Event) => {
    event.preventDefault();
    this.floating = false;
    this.rest();
    this.system = undefined;
  };

  private readonly tick = (now: number) => {
    this.request = requestAnimationFrame(this.tick);
    const { system, guard } = this;
    if (!system || !guard) return;
    const elapsed = this.last === 0 ? 0 : now - this.last;
    this.last = now;
    const count = elapsed > 0 ? guard.frame(elapsed) : guard.count;
    this.canvas.dataset.count = String(count);
    system.step(count, Math.min(LONGEST_STEP, elapsed / 1000));
    system.show(this.ink, this.edge);
  };

  private still(system: ParticleSystem, count: number): void {
    for (let step = 0; step < PROBED.steps; step++) system.step(count, PROBED.seconds);
    system.show(this.ink, this.edge);
    this.canvas.dataset.count = String(count);
  }
}

/** `rgba(255, 255, 255, 0.9)`, or any other CSS colour, as numbers. */
function rgbaOf(colour: string): Rgba {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) return [1, 1, 1, 0.9];
  context.fillStyle = colour.trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255, alpha / 255];
}
