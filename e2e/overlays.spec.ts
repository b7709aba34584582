import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { DEMO_NOW, drawOnScreen, expect, openMap, showView, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { type RunningServer, startServer } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

const MAGENTA = [255, 0, 255];

let tiles: Server;
let server: RunningServer;
let dataDir = "";
const asked: string[] = [];
test.beforeAll(async () => {
  const picture = magentaTile();
  tiles = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "image/png", "access-control-allow-origin": "*" }).end(picture);
  });
  const origin = await listening(tiles);
  // A host that refuses connections: its port was free a moment ago.
  const closed = createServer();
  const dead = await listening(closed);
  closed.close();
  dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-overlays-"));
  const write = (name: string, text: string) => writeFileSync(path.join(dataDir, "overlays", name), text);
  mkdirSync(path.join(dataDir, "overlays"));
  write(
    "radar.yaml",
    `title: Radar <b>\ncredit: Radars & Co\ntiles: "${origin}/{time}/{z}/{x}/{y}.png"\ntime: { every: 10, delay: 25 }\n`,
  );
  write("dead.yaml", `title: Sea marks\ncredit: Nobody\ntiles: "${dead}/{z}/{x}/{y}.png"\n`);
  server = await startServer(dataDir, DEMO_NOW, "");
});
test.afterAll(async () => {
  await server?.stop();
  tiles?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("tiles of another service are off at first, and drawn with their time and credit; a dead host changes nothing else", async ({
  page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await drawOnScreen(page);
  await openMap(page, "c=40,-40&z=3&p=40,-40", server.url);
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toContainText("kn");
  const days = page.getByTestId("days");
  const before = (await days.textContent())!;
  expect(asked).toEqual([]);

  await page.getByRole("button", { name: "Layer: Wind" }).click();
  const radar = page.getByRole("checkbox", { name: "Radar <b>, Tue 15 Sep 11:30 UTC" });
  await expect(radar).not.toBeChecked();
  await radar.check();
  await expectAccessible(page, "the layer menu with tiles of other services");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/[?&]x=radar/);
  await expect(page.locator(".maplibregl-ctrl-attrib")).toContainText(
    "Radar <b>, Tue 15 Sep 11:30 UTC: Radars & Co",
  );
  await mapIsSettled(page);
  expect(asked.length).toBeGreaterThan(0);
  // A tile of 256 pixels is half as wide as one of the map.
  for (const url of asked) expect(url).toMatch(/^\/2026-09-15T11:30:00Z\/4\/\d+\/\d+\.png$/);
  expect(await shareOf(page, MAGENTA)).toBeGreaterThan(0.3);

  // The hours ahead have no picture.
  await showView(page, "c=40,-40&z=3&p=40,-40&x=radar&t=2026-09-15T18:00:00Z");
  expect(await shareOf(page, MAGENTA)).toBeLessThan(0.01);
  await page.getByRole("button", { name: "Layer: Wind" }).click();
  await expect(page.getByRole("checkbox", { name: "Radar <b>: no picture of this time" })).toBeChecked();
  await page.keyboard.press("Escape");

  await showView(page, "c=40,-40&z=3&p=40,-40&x=dead,unknown");
  const notice = page.getByText("Missing, because the other service did not answer: Sea marks.");
  await expect(notice).toBeVisible();
  await expect(conditions).toContainText("kn");
  await expect(days).toHaveText(before);
  await page.getByRole("button", { name: "Layer: Wind" }).click();
  await page.getByRole("checkbox", { name: "Sea marks" }).uncheck();
  await expect(notice).toHaveCount(0);
  expect(errors).toEqual([]);
});

/** Share of the pixels in the middle of the map that are nearly of a colour. */
async function shareOf(page: Page, [red, green, blue]: number[]): Promise<number> {
  const box = { x: 100, y: 150, width: 400, height: 300 };
  const png = (await page.screenshot({ clip: box })).toString("base64");
  return page.evaluate(
    async ([data, r, g, b]) => {
      const bytes = Uint8Array.from(atob(data as string), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      pen.drawImage(bitmap, 0, 0);
      const { data: pixels } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      let near = 0;
      for (let at = 0; at < pixels.length; at += 4)
        if (
          Math.abs(pixels[at]! - Number(r)) < 8 &&
          Math.abs(pixels[at + 1]! - Number(g)) < 8 &&
          Math.abs(pixels[at + 2]! - Number(b)) < 8
        )
          near++;
      return (4 * near) / pixels.length;
    },
    [png, red, green, blue],
  );
}

async function listening(one: Server): Promise<string> {
  await new Promise<void>((done) => one.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

/** A PNG of one colour with a side of 256 pixels. */
function magentaTile(): Buffer {
  const side = 256;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * side, Buffer.from(MAGENTA))]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
