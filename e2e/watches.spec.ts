import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openReceiver } from "#test/alerts.ts";
import { topicChannel } from "#test/topic-channel.ts";
import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { DEMO_NOW, expect, openMap, stormsOf, test } from "./map.ts";
import { startServer } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

test("a place is watched from its panel, and its alerts are read in the inbox", async ({ page, demo }) => {
  await openMap(page, "c=50,-20&z=4&l=none&o=&p=50,-20", demo.url);
  await page.getByRole("button", { name: "Watch this place" }).click();
  const dialog = page.getByRole("dialog", { name: "Watch this place" });
  await expect(dialog.getByLabel("Name")).toHaveValue("50°00.0′N 020°00.0′W");
  await expectAccessible(page, "the dialog");
  // The dialog gives way to the map, and returns with the place.
  await dialog.getByRole("button", { name: "Pick on the map" }).click();
  await page.getByRole("application", { name: "Weather map" }).press("Enter");
  await expect(dialog.getByRole("button", { name: "Pick on the map" })).toBeFocused();
  await expect(dialog.getByLabel("Name")).toHaveValue("50°00.0′N 020°00.0′W");
  // A number that the contract refuses is not sent, and its field gets the focus.
  await dialog.getByLabel("Limit, m").fill("31");
  await dialog.getByRole("button", { name: "Save the watch" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Significant wave height: a number from 0 to 30.");
  await expect(dialog.getByLabel("Limit, m")).toBeFocused();
  // The sea of the demo is above any such limit.
  await dialog.getByLabel("Limit, m").fill("0");
  await expect(dialog).toContainText("No notifications");
  await dialog.getByRole("button", { name: "Add a channel" }).click();
  const add = page.getByRole("dialog");
  // No mail server is set up here.
  await expect(add.getByRole("button", { name: "E-mail" })).toHaveCount(0);
  await expectAccessible(page, "a channel of the dialog");
  // A channel that is stored after the reader went back does not close the form that was opened since.
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    void page.route("**/channels", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.fulfill({ status: 201, json: { ...topicChannel(), secret: null } });
    });
  });
  const topic = add.getByLabel("Address of the topic");
  await add.getByRole("button", { name: "ntfy" }).click();
  await topic.fill(topicChannel().target);
  await topic.press("Enter");
  await asked;
  await add.getByRole("button", { name: "Back to the watch" }).click();
  await dialog.getByRole("button", { name: "Add a channel" }).click();
  await topic.fill("https://ntfy.example.org/another");
  const listed = page.waitForResponse((reply) => reply.url().endsWith("/channels") && reply.status() === 200);
  answer();
  await listed;
  await expect(topic).toHaveValue("https://ntfy.example.org/another");
  await add.getByRole("button", { name: "Back to the watch" }).click();
  await expect(dialog.getByLabel("Limit, m")).toHaveValue("0");
  await dialog.getByRole("button", { name: "Save the watch" }).click();
  await expect(dialog).toContainText("No notifications");
  await dialog.getByRole("link", { name: "All watches" }).click();

  const watch = page.getByRole("region", { name: "Watches" }).getByRole("listitem");
  await expect(watch).toContainText("Significant wave height over 0 m");
  await expect(watch).toContainText("True");
  // The inbox also has alerts of other journeys.
  const alerts = page
    .getByRole("region", { name: "Alerts" })
    .getByRole("listitem")
    .filter({ hasText: "50°00.0′N 020°00.0′W" });
  await watch.getByRole("button", { name: /^Send a test/ }).click();
  await expect(alerts).toHaveCount(2);
  await expect(alerts.first()).toContainText("This is a test.");
  await expect(alerts.last()).toContainText("The numbers come from the demo world");
  await openMap(page, "c=50,-20&z=4&l=none&o=", demo.url);
  await page.getByRole("button", { name: /^Menu, \d+ unread/ }).click();
  await page.getByRole("link", { name: /^Alerts \d+ unread/ }).click();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByText(/\d unread/)).toHaveCount(0);
  await watch.getByRole("button", { name: /^Change/ }).press("Enter");
  const change = page.getByRole("dialog", { name: "Change the watch" });
  await change.getByLabel("Name").fill("Biscay");
  await change.getByLabel("Name").press("Enter");
  // The dialog changes its size when the watch is saved.
  await expect(change).toContainText("Saved.");
  await change.getByRole("button", { name: "Close" }).last().click();
  await expect(watch).toContainText("Biscay");

  await page.setViewportSize({ width: 390, height: 800 });
  await expectAccessible(page, "the inbox on a phone");
  // Undo works even while the alerts are still being read again after the deletion.
  const undone = Promise.withResolvers<void>();
  await page.route("**/alerts?*", async (route) => {
    await undone.promise;
    await route.continue();
  });
  await watch.getByRole("button", { name: /^Delete/ }).click();
  await expect(watch).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(watch).toContainText("Biscay");
  undone.resolve();

  await alerts
    .last()
    .getByRole("link", { name: /^Open on map/ })
    .click();
  // The map opens on the quantity that comes first in the alert: the gusts if there are some too.
  await expect(page).toHaveURL(/p=50,-20.*l=(?:wave|gust)/);
});

test("a watch rings on a phone after at most eight actions, and the next one after three", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const ntfy = await openReceiver();
  const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-watches-"));
  const server = await startServer(dataDir, DEMO_NOW, "", { ALERT_NETWORKS: "127.0.0.1" });
  try {
    // Places in the way of a storm, whose gusts and seas are above the limits that a new watch has.
    const storm = (await stormsOf(server)).find(({ id, tracks }) => id.startsWith("AL") && tracks.forecast);
    const { lat, lon } = storm!.tracks.forecast!.points[0]!;
    await openMap(page, `c=${lat},${lon + 1}&z=5&l=none&o=`, server.url);
    const map = page.getByRole("application", { name: "Weather map" });
    const watchThis = page.getByRole("button", { name: "Watch this place" });
    const save = page.getByRole("button", { name: "Save the watch" });
    const rings = (count: number) => expect.poll(() => ntfy.received.length).toBe(count);

    const first = await counted(page, async ({ click, type, press }) => {
      await click(map);
      await click(watchThis);
      await click(page.getByRole("button", { name: "Add a channel" }));
      await click(page.getByLabel("Address of the topic"));
      await type(`${ntfy.url}/boat`);
      await press("Enter");
      await expect(page.getByRole("dialog")).toContainText(`You are notified by: ${ntfy.url}/boat.`);
      await click(save);
      await rings(1);
    });
    const { topic, title, message } = JSON.parse(ntfy.received[0]!.body);
    expect(topic).toBe("boat");
    expect(`${title} ${message}`).toMatch(/ (kn|m)\b/);
    await page.keyboard.press("Escape");
    await openMap(page, `c=${lat + 1},${lon}&z=5&l=none&o=`, server.url);
    const next = await counted(page, async ({ click }) => {
      await click(map);
      await click(watchThis);
      await click(save);
      await rings(2);
    });
    expect(first.actions).toBeLessThanOrEqual(8);
    expect(next.actions).toBe(3);
  } finally {
    await server.stop();
    ntfy.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
