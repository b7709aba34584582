import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./map.ts";
import { KEY } from "./server.ts";

// A small map is faster to draw in software.
test.use({ viewport: { width: 960, height: 900 } });

const card = (page: Page, name: string) => page.getByRole("region", { name: `Storm ${name}` });

test("what a forecast does not reach is told as its end, and times are whole hours", async ({
  page,
  demo,
}) => {
  // East of the track, which leads towards it until the last forecast point.
  await page.goto(`${demo.url}/?c=15,-46&z=3&o=storms&p=50,-75&storm=AL222026#key=${KEY}`);
  const approach = card(page, "DEMOREEF").getByRole("region", { name: "Closest approach" });
  const end = "Sun 20 Sep 06:00";
  await expect(approach).toContainText(`34 kt winds: not expected before the forecast ends (${end})`);
  await expect(approach).toContainText(
    new RegExp(`Its centre is still closing when the forecast ends \\(${end}\\): [\\d,]+ n mi, bearing`),
  );
  await expect(approach).not.toContainText("not expected until");
  await expect(approach).not.toContainText(`closest ${end}`);
  expect(await approach.innerText()).not.toMatch(/\d\d:(?!00)\d\d/);
  // A ship that crosses the track: arrival and closest approach fall between forecast hours.
  await page.goto(`${demo.url}/?c=15,-46&z=3&o=storms&p=18.3,-50.2&storm=AL222026#key=${KEY}`);
  await expect(approach).toContainText("34 kt winds: expected, earliest");
  await approach.getByLabel("Your speed, kn").fill("7.3");
  expect(await approach.innerText()).not.toMatch(/\d\d:(?!00)\d\d/);
  await expect(approach).toContainText("Times are UTC, to the hour.");
  await expectAccessible(page, "the approach of a storm");
});
