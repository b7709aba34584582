import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { chromium } from "@playwright/test";
import { rolldown } from "rolldown";
import { browserArgs, chromiumPath } from "#e2e/browser.ts";
import { median } from "./median.ts";
import { cpuSecondsOfTree } from "./proc.ts";

const root = path.resolve(import.meta.dirname, "..");
const ROUNDS = 3;
const FRAMES = 5;

/** What the page offers. */
interface PageBench {
  names: string[];
  measure(name: string, count: number): Promise<{ times: number[]; pixel: number[] }>;
  rendererName(): string;
}

/**
 * Time to draw a frame of the map: with the field, and with the raster layer of weatherlayers-gl, over the time with
 * nothing on it, in turns. `BENCH_GPU=1` leaves the choice of renderer to Chromium.
 */
export async function bench(): Promise<void> {
  const script = await bundle();
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://bench").pathname;
    const [type, body] = answer(name, script);
    response.writeHead(200, { "content-type": type }).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const rendering = process.env.BENCH_GPU ? ["--use-angle=vulkan", "--enable-gpu"] : undefined;
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: browserArgs(rendering),
  });
  // The browser's processes are children of this one.
  const used = () => cpuSecondsOfTree(process);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.on("pageerror", (error) => console.error(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => "bench" in window);
    const call = <T>(work: (bench: PageBench) => T | Promise<T>) =>
      page.evaluate(`(${work})(window.bench)`) as Promise<T>;
    console.log(await call((offered) => offered.rendererName()));
    const names = await call((offered) => offered.names);
    const rounds = new Map<string, number[]>(names.map((name) => [name, []]));
    const processor = new Map<string, number[]>(names.map((name) => [name, []]));
    const pixels = new Map<string, number[]>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        const since = await used();
        const { times, pixel } = (await page.evaluate(
          `window.bench.measure(${JSON.stringify(name)}, ${FRAMES})`,
        )) as Awaited<ReturnType<PageBench["measure"]>>;
        processor.get(name)?.push((1000 * ((await used()) - since)) / FRAMES);
        rounds.get(name)?.push(median(times));
        pixels.set(name, pixel);
      }
    }
    const empty = rounds.get("empty") ?? [];
    for (const [name, times] of rounds) {
      if (name !== "empty" && String(pixels.get(name)) === String(pixels.get("empty"))) {
        throw new Error(`${name} drew nothing`);
      }
      const ratio = median(times.map((time, round) => time / (empty[round] ?? Number.NaN)));
      const cpu = median(processor.get(name) ?? []).toFixed(0);
      console.log(
        `${name}: ${median(times).toFixed(1)} ms a frame, ${ratio.toFixed(2)} of the empty map; ${cpu} ms of processors`,
      );
    }
  } finally {
    await browser.close();
    server.close();
  }
}

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: path.join(root, "bench", "field-cost-page.ts"),
    platform: "browser",
    logLevel: "silent",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  return output[0].code;
}

function answer(name: string, script: string): [type: string, body: string | Buffer] {
  const file = (...parts: string[]) => readFileSync(path.join(root, ...parts));
  if (name === "/page.js") return ["text/javascript", script];
  if (name.startsWith("/maplibre/")) {
    return ["text/javascript", file("node_modules", "maplibre-gl", "dist", path.basename(name))];
  }
  if (name.startsWith("/basemap/")) {
    return ["application/json", file("public", "basemap", path.basename(name))];
  }
  return [
    "text/html",
    '<!doctype html><div id="map" style="position:fixed;inset:0"></div><script type="module" src="/page.js"></script>',
  ];
}
