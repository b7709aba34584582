import { expect, origin, test } from "./map.ts";
import { KEY } from "./server.ts";

/** A finished task of a list. */
const ended = (kind: string, size: number, milliseconds: number) => ({
  task_id: crypto.randomUUID(),
  task_name: null,
  kind,
  created_at: "2026-01-01T00:00:00.000Z",
  started_at: "2026-01-01T00:00:00.000Z",
  finished_at: new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString(),
  expires_at: "2026-02-01T00:00:00.000Z",
  progress: 1,
  queue_position: null,
  status: "SUCCESS",
  size,
  error: null,
  result_bytes: 1000,
  receive_mail: false,
  notification: null,
});

test("small tasks of before do not turn the seconds of a large one into hours", async ({ page }) => {
  await page.route("**/user/tasks?*", (route) =>
    route.fulfill({
      json: {
        results: [
          ended("MetOcean", 3, 400),
          ended("MetOcean", 5, 300),
          ended("2DMetOcean", 200, 350),
          ended("2DMetOcean", 400, 300),
        ],
      },
    }),
  );
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  await expect(page.getByRole("listitem").filter({ hasText: "points" }).first()).toBeVisible();
  await page.getByRole("button", { name: "New task" }).click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  const estimate = dialog.getByRole("status");
  await expect(estimate).toContainText("as JSON, a few seconds of work.");
  await dialog.getByRole("button", { name: "A list of points" }).click();
  const lines = Array.from({ length: 20_000 }, (_, i) => `${(i % 600) / 10},0,2026-01-01T00:00:00Z`);
  await dialog.getByLabel("File: GPX, or CSV").setInputFiles({
    name: "many.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["latitude,longitude,timestamp", ...lines].join("\n")),
  });
  await expect(estimate).toContainText("20,000 points");
  await expect(estimate).toContainText("a few seconds of work.");
});
