import type { Page } from "@playwright/test";
import { decodeFrame, encodeFrame } from "#lib/field/frame.ts";

/**
 * Replaces the archive's frames by a field that is the same everywhere, in place of an earlier one of the page. Each layer
 * has frames of its own addresses, so that an open page can show one layer after the other.
 *
 * @param variable Layer that the map shows.
 * @param bands Value of each band by the name of its field.
 */
export async function serveUniformField(
  page: Page,
  variable: string,
  bands: Record<string, number>,
): Promise<void> {
  await page.unrouteAll({ behavior: "wait" });
  await page.route(/\/2DMetOcean\/manifest\?/, async (route) => {
    const url = route.request().url().replace(`variable=${variable}`, "variable=wind");
    const reply = await route.fetch({ url });
    const manifest = (await reply.text()).replaceAll(/\/wind(?=[/"])/g, `/${variable}`);
    await route.fulfill({ json: { ...JSON.parse(manifest), variable } });
  });
  await page.route(`**/2DMetOcean/*frames/**/${variable}/**`, async (route) => {
    const reply = await route.fetch({ url: route.request().url().replace(`/${variable}/`, "/wind/") });
    const { grid, time } = decodeFrame(await reply.body());
    const nodes = grid.latitude.count * grid.longitude.count;
    const described = Object.keys(bands).map((name) => ({ name, scale: 0.001, offset: 0 }));
    const values = Object.values(bands).map((value) => new Int16Array(nodes).fill(Math.round(value * 1000)));
    await route.fulfill({ body: Buffer.from(encodeFrame(grid, time, described, values)) });
  });
}
