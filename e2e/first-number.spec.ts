import { expect, openMap, test } from "./map.ts";

test("the first conditions are requested once, and stay when the page comes alive", async ({
  quietPage: page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/MetOcean")) asked.push(request.postData() ?? "");
  });
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (line) => {
    // The archive of the tests has no storms: 503.
    if (line.type() === "error" && !line.text().startsWith("Failed to load resource"))
      problems.push(line.text());
  });
  await page.addInitScript(() => {
    // What the panel shows after it has had a number.
    const lost: string[] = [];
    let had = false;
    Object.assign(window, { lost });
    new MutationObserver(() => {
      const text = document.querySelector('aside[aria-label="Details"]')?.textContent ?? "";
      if (/\d kn/.test(text)) had = true;
      else if (had) lost.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await openMap(page, "c=40,-40&z=3&p=40,-40");
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  const points = asked.map((body) => JSON.parse(body).points.length);
  expect(points.filter((count) => count === 1)).toHaveLength(1);
  expect(await page.evaluate(() => (window as unknown as { lost: string[] }).lost)).toEqual([]);
  expect(problems).toEqual([]);
});
