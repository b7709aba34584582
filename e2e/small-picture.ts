import type { Page } from "@playwright/test";

/** Qualities of WebP, of which the first that is small enough is taken. */
const QUALITIES = [80, 60, 45, 35, 25, 15, 8, 4];

/** Takes a picture of the window as WebP of at most so many bytes, because every clone downloads it. */
export async function smallPicture(page: Page, maxBytes: number): Promise<Buffer> {
  const client = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await client.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= maxBytes) return picture;
  }
  throw new Error(`A picture is larger than ${maxBytes / 1000} kB`);
}
