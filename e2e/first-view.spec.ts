import { openSlowLink, type Transfer } from "#bench/slow-link.ts";
import { drawCoarsely, expect, test } from "./map.ts";
import { viewIsDrawn } from "./probe.ts";
import { KEY } from "./server.ts";

/** How long nothing may be requested for a view to be complete, milliseconds. */
const QUIET_MS = 2000;

const sum = (transfers: readonly Transfer[]) => transfers.reduce((bytes, one) => bytes + one.bytes, 0);

for (const [width, height, limit] of [
  [1440, 900, 900_000],
  [390, 844, 850_000],
] as const) {
  test(`a visit at ${width} pixels costs no more than it may, the first and a later one`, async ({
    browser,
    demo,
  }) => {
    const link = await openSlowLink(demo.url);
    const page = await browser.newPage({ viewport: { width, height } });
    await drawCoarsely(page);
    const visit = async (): Promise<readonly Transfer[]> => {
      link.transfers.length = 0;
      await page.goto(`${link.url}/?c=45,-30&z=3&p=45,-30#key=${KEY}`);
      await viewIsDrawn(page);
      await page.waitForTimeout(QUIET_MS);
      return [...link.transfers];
    };
    const first = await visit();
    expect(sum(first)).toBeLessThan(limit);
    // Nothing is read ahead.
    const frames = first.filter(({ path }) => path.includes("frames/"));
    expect(frames.map(({ path }) => path.split("/").slice(-2).join("/"))).toEqual(["4/all"]);
    await page.goto("about:blank");
    // A visit whose page comes late leaves out the typeface: see components/screen/typeface.ts.
    expect(sum((await visit()).filter(({ type }) => !type.includes("font")))).toBeLessThan(60_000);
    await page.context().close();
    await link.close();
  });
}
