import { openCountingProxy } from "#bench/counting-proxy.ts";
import { bytesOf, transfersOfVisit } from "#bench/visit-bytes.ts";
import { drawCoarsely, expect, test } from "./map.ts";

for (const [width, height, limit] of [
  [1440, 900, 1_300_000],
  [390, 844, 1_200_000],
] as const) {
  test(`a visit at ${width} pixels stays within its limit of bytes, both the first and a later one`, async ({
    browser,
    demo,
  }) => {
    await fetch(demo.url);
    const proxy = await openCountingProxy(demo.url);
    const page = await browser.newPage({ viewport: { width, height } });
    await drawCoarsely(page);
    const first = await transfersOfVisit(page, proxy);
    expect(bytesOf(first)).toBeLessThan(limit);
    const land = first.filter(({ path }) => path.includes(".pmtiles"));
    expect(land.length).toBeGreaterThan(1);
    expect(bytesOf(land)).toBeLessThan(150_000);
    // No frame is read ahead.
    const frames = first.filter(({ path }) => path.includes("frames/"));
    expect(frames.map(({ path }) => path.split("/").slice(-2).join("/"))).toEqual(["4/all"]);
    await page.goto("about:blank");
    // A first page may have come without the typeface.
    const later = await transfersOfVisit(page, proxy);
    expect(bytesOf(later.filter(({ type }) => !type.includes("font")))).toBeLessThan(60_000);
    await page.context().close();
    await proxy.close();
  });
}
