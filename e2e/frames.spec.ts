import type { Page, Request } from "@playwright/test";
import { expect, openMap, origin, showView, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";
import { STEPS } from "./test-archive.ts";

const FRAMES = "**/2DMetOcean/*frames/**";

/** Frames that a page requests, by time, level and chunk. */
function requestedFrames(page: Page): { all: string[]; requests: Request[] } {
  const frames = { all: [] as string[], requests: [] as Request[] };
  page.on("request", (request) => {
    const path = decodeURIComponent(new URL(request.url()).pathname);
    if (!path.includes("frames/")) return;
    frames.all.push(path.split("/").slice(-3).join("/"));
    frames.requests.push(request);
  });
  return frames;
}

test("only chunks in view are requested, by paths without a key, and then the neighbouring steps, so that scrubbing needs no requests", async ({
  page,
}) => {
  const frames = requestedFrames(page);
  await openMap(page, `c=30,-60&z=4&t=${STEPS[1]}`);
  expect(frames.all).toContain(`${STEPS[1]}/2/all`);
  expect(frames.all).toContain(`${STEPS[1]}/1/0.0`);
  const fine = (time: string) => `${time}/1/0.0`;
  await expect.poll(() => STEPS.filter((time) => frames.all.includes(fine(time))).length).toBe(STEPS.length);
  await Promise.all(frames.requests.map(async (request) => (await request.response())?.finished()));
  expect(frames.all.filter((frame) => frame.endsWith("/0.1"))).toEqual([]);
  expect(new Set(frames.all).size).toBe(frames.all.length);
  for (const request of frames.requests) {
    expect(request.url()).not.toContain(KEY);
    expect((await request.allHeaders())["x-api-key"]).toBeUndefined();
  }

  const before = frames.all.length;
  const slider = page.getByRole("slider", { name: "Time of the map", exact: true });
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowLeft"]) {
    await slider.press(key);
    await mapIsSettled(page);
  }
  expect(frames.all.slice(before)).toEqual([]);

  // The other half of the globe comes into view.
  await showView(page, `c=30,60&z=4&t=${STEPS[1]}`);
  expect(frames.all.slice(before)).toContain(`${STEPS[1]}/1/0.1`);
});

test("an expired frame path is renewed without a message; a rate-limited request is retried with its wait shown and no error", async ({
  page,
}) => {
  let manifests = 0;
  await page.route("**/2DMetOcean/manifest*", async (route) => {
    const reply = await route.fetch();
    const text = await reply.text();
    manifests++;
    await route.fulfill({
      body: manifests > 1 ? text : text.replaceAll("signed-frames/", "signed-frames/ended-"),
    });
  });
  let refused = 0;
  await page.route(FRAMES, (route) => {
    const path = decodeURIComponent(route.request().url());
    if (path.includes("signed-frames/ended-"))
      return route.fulfill({
        status: 410,
        json: { detail: "This path to map frames has expired: request the manifest again" },
      });
    if (!path.includes(STEPS[2]) || refused > 0) return route.continue();
    refused++;
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "4" },
      json: { error: "Rate limit exceeded: 3000 per 1 minute" },
    });
  });
  await page.goto(`${origin()}/?c=30,-60&z=3&t=${STEPS[2]}#key=${KEY}`);
  const notice = page.getByRole("status").filter({ hasText: "Too many requests." });
  await expect(notice).toContainText(/Next try in \d s\./);
  await mapIsSettled(page);
  await expect(notice).toHaveCount(0);
  expect(manifests).toBeGreaterThan(1);
  expect(refused).toBe(1);
  await expect(page.getByText("has ended")).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "Too many" })).toHaveCount(0);
});

test("deferred files are not requested before the first field, even when the map is idle without it", async ({
  page,
}) => {
  // The page's own timeout of five seconds is disabled, because a slow machine would reach it.
  await page.addInitScript(() => {
    const real = window.setTimeout;
    const withoutTimeout = (run: () => void, ms?: number) => (ms === 5000 ? 0 : real(run, ms));
    Object.assign(window, { setTimeout: withoutTimeout });
  });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const idle = Promise.withResolvers<void>();
  await page.route("**/2DMetOcean/*frames/**", async (route) => {
    await idle.promise;
    await route.continue();
  });
  const land = page.waitForResponse("**/basemap/land-*.pmtiles?*");
  await page.goto(`${origin()}/?c=30,-60&z=4&p=30,-60&t=${STEPS[0]}&o=names,storms#key=${KEY}`);
  await land;
  // The page has enough frames to draw the land and become idle.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 90; frame++) await new Promise(requestAnimationFrame);
  });
  const deferred = ["/storms", "/basemap/borders-50m.json", "/basemap/names-en.json"];
  expect(requested.filter((path) => deferred.includes(path))).toEqual([]);
  // The value at the point is small, and what most visitors want.
  expect(requested).toContain("/MetOcean");
  idle.resolve();
  await mapIsSettled(page);
  expect(requested).toEqual(expect.arrayContaining(deferred));
});
