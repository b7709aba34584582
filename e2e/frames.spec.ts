import type { Page, Request } from "@playwright/test";
import { expect, openMap, origin, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";
import { STEPS } from "./test-archive.ts";

// Software draws a small map sooner.
test.use({ viewport: { width: 640, height: 480 } });

const FRAMES = "**/2DMetOcean/*frames/**";

/** Frames that a page asks for: their time, level and chunk. */
function askedFrames(page: Page): { all: string[]; requests: Request[] } {
  const asked = { all: [] as string[], requests: [] as Request[] };
  page.on("request", (request) => {
    const path = decodeURIComponent(new URL(request.url()).pathname);
    if (!path.includes("frames/")) return;
    asked.all.push(path.split("/").slice(-3).join("/"));
    asked.requests.push(request);
  });
  return asked;
}

test("only what is in view is read, by paths without a key; then the steps around, and scrubbing among these asks for nothing", async ({
  page,
}) => {
  const asked = askedFrames(page);
  await openMap(page, `c=30,-60&z=4&t=${STEPS[1]}`);
  expect(asked.all).toContain(`${STEPS[1]}/2/all`);
  expect(asked.all).toContain(`${STEPS[1]}/1/0.0`);
  const fine = (time: string) => `${time}/1/0.0`;
  await expect.poll(() => STEPS.filter((time) => asked.all.includes(fine(time))).length).toBe(STEPS.length);
  await Promise.all(asked.requests.map(async (request) => (await request.response())?.finished()));
  expect(asked.all.filter((frame) => frame.endsWith("/0.1"))).toEqual([]);
  expect(new Set(asked.all).size).toBe(asked.all.length);
  for (const request of asked.requests) {
    expect(request.url()).not.toContain(KEY);
    expect((await request.allHeaders())["x-api-key"]).toBeUndefined();
  }

  const before = asked.all.length;
  const slider = page.getByRole("slider", { name: "Time of the map" });
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft"]) {
    await slider.press(key);
    await mapIsSettled(page);
  }
  expect(asked.all.slice(before)).toEqual([]);

  // The other half of the globe comes into view.
  await openMap(page, `c=30,60&z=4&t=${STEPS[1]}`);
  expect(asked.all.slice(before)).toContain(`${STEPS[1]}/1/0.1`);
});

test("a path that has ended is followed by the next one, without a word", async ({ page }) => {
  let manifests = 0;
  await page.route("**/2DMetOcean/manifest*", async (route) => {
    const reply = await route.fetch();
    const text = await reply.text();
    manifests++;
    await route.fulfill({
      body: manifests > 1 ? text : text.replaceAll("signed-frames/", "signed-frames/ended-"),
    });
  });
  await page.route("**/2DMetOcean/signed-frames/ended-**", (route) =>
    route.fulfill({
      status: 410,
      json: { detail: "This path to map frames has ended: ask the manifest again" },
    }),
  );
  await openMap(page, `c=30,-60&z=3&t=${STEPS[0]}`);
  expect(manifests).toBeGreaterThan(1);
  await expect(page.getByText("has ended")).toHaveCount(0);
});

test("a service that asks for patience is asked again by itself: until when is told, and there is no error", async ({
  page,
}) => {
  let refused = 0;
  await page.route(FRAMES, (route) => {
    const late = decodeURIComponent(route.request().url()).includes(STEPS[2]) && refused < 1;
    if (!late) return route.continue();
    refused++;
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "8" },
      json: { error: "Rate limit exceeded: 3000 per 1 minute" },
    });
  });
  await page.goto(`${origin()}/?c=30,-60&z=3&t=${STEPS[2]}#key=${KEY}`);
  const notice = page.getByRole("status").filter({ hasText: "Too many requests." });
  await expect(notice).toContainText(/Next try in \d s\./);
  await mapIsSettled(page);
  await expect(notice).toHaveCount(0);
  expect(refused).toBe(1);
  await expect(page.getByRole("alert").filter({ hasText: "Too many" })).toHaveCount(0);
});

test("nothing that can wait is asked for before the first field, though the map falls idle without it", async ({
  page,
}) => {
  // That the page's patience ends is another thing, which a slow machine must not bring about here.
  await page.addInitScript(() => {
    const real = window.setTimeout;
    const patient = (run: () => void, ms?: number) => (ms === 5000 ? 0 : real(run, ms));
    Object.assign(window, { setTimeout: patient });
  });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const idle = Promise.withResolvers<void>();
  await page.route("**/2DMetOcean/*frames/**", async (route) => {
    await idle.promise;
    await route.continue();
  });
  const land = page.waitForResponse("**/basemap/land-110m.json");
  await page.goto(`${origin()}/?c=30,-60&z=3&p=30,-60&t=${STEPS[0]}&o=names,storms#key=${KEY}`);
  await land;
  // Time enough to draw it and to come to rest.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 90; frame++) await new Promise(requestAnimationFrame);
  });
  const later = ["/storms", "/MetOcean", "/basemap/land-50m.json", "/basemap/names.json"];
  expect(asked.filter((path) => later.includes(path))).toEqual([]);
  idle.resolve();
  await mapIsSettled(page);
  expect(asked).toEqual(expect.arrayContaining(later));
});
