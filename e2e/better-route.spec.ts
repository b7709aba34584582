import type { Page } from "@playwright/test";
import type { Plan } from "#lib/contract/passage.ts";
import { planToText } from "#lib/passage/plan-link.ts";
import { expectAccessible } from "./accessibility.ts";
import { expect, openMap, test } from "./map.ts";

const at = (latitude: number, longitude: number, name?: string) =>
  ({ latitude, longitude, leg: "great_circle", ...(name && { name }) }) as const;

/** A plan through Flores in the Azores. */
const plan: Plan = {
  name: "Flores",
  route: [at(39.45, -31.6, "West"), at(39.45, -30.8, "East")],
  vessel: { kind: "fixed", speed_kt: 6 },
};
const link = (of: Plan) => `c=39.45,-31.2&z=8&l=none&o=&plan=${planToText(of).text}`;

const search = (page: Page) => page.getByRole("region", { name: "Find a better route" });
const routeOf = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("metocean-plan") ?? "{}").plan.route as Plan["route"]);

test("by keyboard, a better route is searched around land, compared with the present one, taken and undone", async ({
  quietPage: page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, link(plan), demo.url);
  const find = search(page).getByRole("button", { name: "Find a better route" });
  await find.press("Enter");
  const table = search(page).getByRole("table", { name: "Your route and the better one" });
  await expect(table).toContainText("n mi");
  await expect(search(page)).toContainText("Your own route crosses land on leg");
  await expect(search(page).getByRole("status").first()).toContainText("Better route: ");
  await expect(search(page)).toContainText(/This route on 3 models: \d of 3 models (say|cannot)/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, "a better route on a phone");
  await search(page).getByRole("button", { name: "Keep mine" }).press("Enter");
  await expect(find).toBeFocused();
  expect(await routeOf(page)).toHaveLength(2);
  await find.press("Enter");
  await search(page).getByRole("button", { name: "Use this route" }).press("Enter");
  await expect(search(page).getByRole("status").first()).toContainText("Undo brings yours back");
  const taken = await routeOf(page);
  expect(taken.length).toBeGreaterThan(2);
  expect([taken[0]!.name, taken.at(-1)!.name]).toEqual(["West", "East"]);
  await page.getByRole("button", { name: "Undo", exact: true }).first().press("Enter");
  expect(await routeOf(page)).toHaveLength(2);
});

test("a route is searched in all models, each better one is a line of the map, checked on all of them, and can be taken", async ({
  quietPage: page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, link(plan), demo.url);
  await search(page).getByLabel("In all 3 models").check();
  await search(page).getByRole("button", { name: "Find a better route" }).click();
  const table = search(page).getByRole("table", { name: "Better routes by model" });
  await expect(table.getByRole("row")).toHaveCount(4);
  await expect(search(page)).toContainText(/Better route of .*DEMO-WORLD.*: \d of 3 models/);
  const take = search(page).getByRole("button", { name: /^Use the route of DEMO-WORLD/ });
  await take.click();
  await expect(search(page).getByRole("status").first()).toContainText("Undo brings yours back");
  expect((await routeOf(page)).length).toBeGreaterThan(2);
});

test("a search that failed is tried again, for the same route; a button moves an end on land to water; without a network nothing is searched", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, link({ ...plan, route: [at(39.45, -31.6), at(39.45, -31.2)] }), demo.url);
  await page.route("**/passages/optimise", (route) => route.fulfill({ status: 500, body: "{}" }), {
    times: 1,
  });
  await search(page).getByRole("button", { name: "Find a better route" }).click();
  await search(page).getByRole("button", { name: "Try again" }).click();
  await expect(search(page).getByRole("alert")).toContainText("The end is on land. The nearest water is");
  await search(page).getByRole("button", { name: "Move it there" }).click();
  await expect(search(page).getByRole("status")).toContainText(/better (route|was found)/i);
  await expect(search(page).getByRole("alert")).toHaveCount(0);
  expect((await routeOf(page)).at(-1)).not.toMatchObject({ latitude: 39.45, longitude: -31.2 });
  await expect(search(page).getByRole("button", { name: "Find a better route" })).toBeEnabled();
  await page.context().setOffline(true);
  await expect(search(page).getByRole("button", { name: "Find a better route" })).toBeDisabled();
  await expect(search(page)).toContainText("There is no network");
});
