import type { Page } from "@playwright/test";
import { viewIsDrawn } from "#e2e/probe.ts";
import { KEY } from "#e2e/server.ts";
import type { CountingProxy, Transfer } from "./counting-proxy.ts";

/** A link with a point at sea, whose wind is the first value on the page. */
const VIEW = "c=45,-30&z=3&p=45,-30";

/** Silence after which a visit is complete, milliseconds. */
const QUIET_MS = 2000;

/**
 * Opens the view and returns everything that the server sends for it: every reply to the page, its workers and its
 * service worker, compressed and with its headers, from the navigation until the view is drawn and nothing has arrived
 * for two seconds, without any input. A page that loads slowly gets no typeface (components/screen/typeface.ts), so the
 * server must have rendered one before. Storms near the point would count too, so it is measured in the demo at
 * `DEMO_NOW`, when there is none.
 */
export async function transfersOfVisit(page: Page, proxy: CountingProxy): Promise<readonly Transfer[]> {
  proxy.transfers.length = 0;
  await page.goto(`${proxy.url}/?${VIEW}#key=${KEY}`);
  await viewIsDrawn(page);
  for (let before = -1; before !== bytesOf(proxy.transfers); await page.waitForTimeout(QUIET_MS))
    before = bytesOf(proxy.transfers);
  return [...proxy.transfers];
}

export const bytesOf = (transfers: readonly Transfer[]): number =>
  transfers.reduce((sum, { bytes }) => sum + bytes, 0);
