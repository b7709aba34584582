import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, openMap, origin, test } from "./map.ts";
import { KEY } from "./server.ts";

// Reduced motion: the map then moves to another place at once.
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

const at = "c=40,-40&z=3&l=none&o=";

test("a position with two readings leads to a question, and a place is found by its name, by keyboard alone", async ({
  quietPage: page,
}) => {
  let requested = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/places.json")) requested++;
  });
  await openMap(page, at);
  const field = page.getByRole("combobox", { name: "Position" });
  await field.focus();
  await page.keyboard.type("48,30N 005,15O");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "O is west" })).toBeVisible();
  await expect(page.getByRole("option")).toHaveText([/^48°18\.0′N 005°09\.0′W/, /^48°18\.0′N 005°09\.0′E/]);
  await expect(page).not.toHaveURL(/[?&]p=/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/p=48\.3,-5\.15/);
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("48°18.0′N 005°09.0′W");

  await field.fill("valpar");
  await expect(page.getByRole("option", { name: /^Valparaíso/ })).toContainText("Port, Chile");
  await expectAccessible(page, "the list of places");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await expect(field).toHaveValue("valpar");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: /^Valparaíso/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/c=-33\.0\d,-71\.63&z=10/);
  await expect(page).toHaveURL(/p=-33\.0\d+,-71\.6\d+/);

  // The place has its name, and is saved, compared with others, renamed and removed.
  const head = page.getByRole("region", { name: "Conditions" }).getByRole("heading").first();
  await expect(head).toHaveText("Valparaíso");
  await expect(field).toHaveValue("");
  await page.getByRole("button", { name: "Save this place" }).click();
  await field.focus();
  await expect(page.getByRole("option", { name: /^Valparaíso/ })).toBeVisible();
  await field.press("Escape");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Saved places" }).click();
  const saved = page.getByRole("dialog", { name: "Saved places" });
  await expect(saved.getByRole("rowgroup").filter({ hasText: "Valparaíso" })).toContainText(/—|\d → \d/);
  await expectAccessible(page, "the table of saved places");
  // The series of the saved places are one action away.
  await saved.getByRole("button", { name: "Series as a file" }).click();
  const files = page.getByRole("region", { name: "Download" });
  await expect(page.getByRole("heading", { name: "Download" })).toBeFocused();
  await expect(files.getByRole("button", { name: "Saved places" })).toHaveAttribute("aria-pressed", "true");
  await expect(files.getByRole("checkbox", { name: "Valparaíso" })).toBeChecked();
  await page.getByRole("tab", { name: "Point" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Saved places" }).click();
  await saved.getByRole("button", { name: "Rename Valparaíso" }).click();
  await page.keyboard.type("Home");
  await page.keyboard.press("Enter");
  await expect(head).toHaveText("Home");
  await saved.getByRole("button", { name: "Remove Home" }).click();
  await expect(saved).toContainText("No place is saved yet");
  await page.keyboard.press("Escape");

  await field.fill("gascogne");
  await page.getByRole("option", { name: /^Bay of Biscay/ }).click();
  await expect(page).toHaveURL(/p=45\.3,-4\.8/);
  await expect(page).not.toHaveURL(/z=10/);
  expect(requested).toBe(1);

  await field.fill("48 61N 5W");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Minutes and seconds" })).toBeVisible();
  await expect(field).toBeFocused();
});

async function pointsForm(page: Page) {
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  await page.getByRole("button", { name: "New task" }).click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByRole("button", { name: "A list of points" }).click();
  const choose = (name: string, content: string | Buffer) =>
    dialog.getByLabel("File: GPX, or CSV").setInputFiles({
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.from(content),
    });
  return { dialog, choose };
}

test("a route of a GPX file is chosen, and the plan takes its name, departure and speed", async ({
  quietPage: page,
}) => {
  const point = (tag: string, latitude: number, name: string) =>
    `<${tag} lat="${latitude}" lon="-40"><time>2020-01-01T00:00:00Z</time><name>${name}</name></${tag}>`;
  const { dialog, choose } = await pointsForm(page);
  await choose(
    "plans.gpx",
    `<?xml version="1.0"?><gpx creator="OpenCPN" xmlns="http://www.topografix.com/GPX/1/1" xmlns:opencpn="http://www.opencpn.org">
      <rte><name>Short way</name>${point("rtept", 30, "A")}${point("rtept", 31, "B")}</rte>
      <rte><name>Long way</name><extensions><opencpn:planned_speed>6.00</opencpn:planned_speed>
        <opencpn:planned_departure>2026-01-01T00:00:00Z</opencpn:planned_departure></extensions>
        ${point("rtept", 40, "Start")}${point("rtept", 41, "End &amp; mooring")}</rte>
      ${point("wpt", 40, "Buoy")}</gpx>`,
  );
  await expect(dialog.getByRole("radio")).toHaveCount(3);
  await expect(dialog.getByRole("radio", { name: /Short way/ })).toBeChecked();
  await expect(dialog).toContainText("2 points, without times.");
  await expect(dialog.getByLabel("Leaving the first point")).toBeVisible();
  await expectAccessible(page, "the lists of a GPX file");
  await dialog.getByRole("radio", { name: /Long way/ }).check();
  await expect(dialog.getByRole("radio", { name: /Long way/ })).toHaveAccessibleName(
    /2 points · 60 n mi · planned at 6 kn · leaves 2026-01-01 00:00 UTC/,
  );
  await expect(dialog).toContainText("End & mooring · 41°00.0′N 040°00.0′W · 2026-01-01 10:00");
  await expect(dialog.getByLabel("Leaving the first point")).toHaveCount(0);
  await expect(dialog.getByLabel("Name")).toHaveValue("Long way");
  const sent = page.waitForRequest((request) => request.url().endsWith("/MetOcean/async"));
  await dialog.getByRole("button", { name: "Start the task" }).click();
  const { points } = (await sent).postDataJSON() as { points: { latitude: number; timestamp: string }[] };
  expect(points.map(({ latitude }) => latitude)).toEqual([40, 41]);
  expect(points[0]?.timestamp).toBe("2026-01-01T00:00:00Z");
  expect(points[1]?.timestamp).toMatch(/^2026-01-01T10:00/);
});

test("tables in other languages and workbooks are read, and unreadable parts are named first", async ({
  quietPage: page,
}) => {
  const { dialog, choose } = await pointsForm(page);
  const rows =
    "Breite;L\xe4nge;Datum;Uhrzeit\r\n48\xb030,5'N;5,25 W;03/04/2026;12:00\r\n91;0;03/04/2026;12:00\r\n";
  await choose("reise.csv", Buffer.from(rows, "latin1"));
  await expect(dialog).toContainText("reise.csv: 1 point, each with its time.");
  await expect(dialog).toContainText(
    "latitude from “Breite”, longitude from “Länge”, date from “Datum”, time from “Uhrzeit”. Times are taken as UTC.",
  );
  await expect(dialog).toContainText("1 point cannot be read, 1 can.");
  await expect(dialog).toContainText("Line 3: the latitude “91”");
  await expect(dialog.getByRole("button", { name: "Start the task" })).toBeDisabled();
  await dialog.getByLabel("Leave these points out").check();
  await expect(dialog.getByRole("button", { name: "Start the task" })).toBeEnabled();
  const before = await dialog.getByRole("list").filter({ hasText: "UTC" }).innerText();
  await dialog.getByRole("button", { name: /^(?:day\/month|month\/day)/, pressed: false }).click();
  await expect(dialog.getByRole("list").filter({ hasText: "UTC" })).not.toHaveText(before);

  await choose("route.xlsx", readFileSync("lib/points/fixtures/route.xlsx"));
  await expect(dialog).toContainText("route.xlsx: 3 points, each with its time.");
  await expect(dialog).toContainText("Brest & roads · 48°30.0′N 005°15.0′W · 2026-09-15 12:00 UTC");
  await choose("old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]));
  await expect(dialog.getByRole("status")).toContainText("old Excel file (.xls)");
});
