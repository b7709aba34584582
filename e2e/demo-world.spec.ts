import { variable, variableNames } from "#lib/catalog/variables.ts";
import { DEMO_NOW, expect, openPage, test } from "./map.ts";
import { KEY } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

const banner = "Synthetic demo data. Not a forecast. Not for navigation.";

test("a fresh start shows the demo, marks it as synthetic, and has every variable", async ({
  page,
  demo,
}) => {
  await openPage(page, "", demo.url);
  await expect(page.getByRole("status").filter({ hasText: banner })).toBeAttached();
  await page.getByRole("button", { name: "Demo data. Not for navigation." }).click();
  await expect(page.getByText(/DEMO-WORLD v1 \(synthetic\), \d+ h old, to T\+\d+ h · run /)).toBeVisible();
  await page.keyboard.press("Escape");
  // A first visit opens at sea, with the conditions of one point.
  const panel = page.getByRole("region", { name: "Conditions" });
  await expect(panel).toContainText("DEMO-WORLD");
  await expect(page).toHaveURL(/p=/);
  const outputs = variableNames.flatMap((name) => variable(name).outputs);
  await expect(panel.locator("[data-field] [data-value]")).toHaveCount(outputs.length);
  const values = panel.locator("[data-field] [data-value]");
  const shown = await values.evaluateAll((all) => all.map((it) => Number((it as HTMLElement).dataset.value)));
  expect(shown.filter((value) => !Number.isFinite(value))).toEqual([]);

  await page.getByRole("button", { name: "Put the hint away" }).click();
  await expect(page.getByText("Click the sea for conditions.")).toBeHidden();

  const reply = await page.request.post(`${demo.url}/MetOcean`, {
    headers: { "x-api-key": KEY },
    data: { points: [{ latitude: 40, longitude: -40, timestamp: DEMO_NOW }], variables: ["wave"] },
  });
  expect(reply.headers()["x-data-provenance"]).toBe("synthetic");
});

test("a model is chosen for the map, is named, stands in the link, and says which layers it lacks", async ({
  page,
  demo,
}) => {
  await openPage(page, "c=40,-40&z=3&p=40,-40", demo.url);
  await page.getByRole("button", { name: "Layer: Wind" }).click();
  await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "DEMO-LATE v1 (synthetic)" });
  await expect(page).toHaveURL(/[?&]model=demo-late/);
  await page.keyboard.press("Escape");
  // The panel has the numbers of the same model as the map.
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("DEMO-LATE");
  await page.getByRole("button", { name: "Demo data. Not for navigation." }).click();
  await expect(page.getByText(/DEMO-LATE v1 \(synthetic\), \d+ h old, to T\+\d+ h · run /)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Waves", exact: true }).click();
  const notice = page.locator(".notice").filter({ hasText: "The model demo-late has no" });
  await notice.getByRole("button", { name: "Best for each layer" }).click();
  await expect(notice).toBeHidden();
  await expect(page).not.toHaveURL(/model=/);
});

test("the difference of two models at a point is that of their numbers, and so is that of a model and its run before", async ({
  page,
  demo,
}) => {
  const time = "2026-09-19T12:00:00Z";
  const asked = { points: [{ latitude: 40, longitude: -40, timestamp: time }], variables: ["pressure"] };
  type Result = { conditions: { Pressure: number } };
  const resultOf = async (path: string, more: object) => {
    const headers = { "x-api-key": KEY };
    return (await (await page.request.post(demo.url + path, { headers, data: { ...asked, ...more } })).json())
      .result;
  };
  const models = await resultOf("/MetOcean", { models: ["best", "demo-late"] });
  const [best, late] = models.results.map(({ conditions }: Result) => conditions.Pressure);
  const runs = await resultOf("/MetOcean/runs", { last_runs: 2 });
  const [newest, before] = runs.results.map(
    ({ results }: { results: Result[] }) => results[0]!.conditions.Pressure,
  );
  expect(new Set([best, late, before]).size).toBe(3);
  expect(newest).toBe(best);
  const here = page.getByTestId("difference-here");
  // The map's numbers are not rounded, the API's and the text are.
  const expectHere = (difference: number) =>
    expect(async () => {
      const [, text] = /: ([+−]?[\d.]+) hPa/.exec((await here.textContent({ timeout: 1000 })) ?? "") ?? [];
      expect(Math.abs(Number(text?.replace("−", "-")) - difference)).toBeLessThan(0.16);
    }).toPass({ timeout: 60_000 });
  await openPage(page, `c=40,-40&z=3&l=pressure&t=${time}&p=40,-40&cmp=pressure.0.d~demo-late`, demo.url);
  await expectHere(late - best);
  const choice = page.getByRole("combobox", { name: "Model of B" });
  await choice.selectOption({ label: "same model" });
  await expectHere(0);
  await choice.selectOption("run 1");
  await expect(page).toHaveURL(/cmp=pressure\.0\.d\.r1(&|$)/);
  await expectHere(before - newest);
});
