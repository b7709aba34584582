import { expect, it } from "vitest";
import { fr } from "#lib/messages/generated/fr.ts";
import { renderInPage } from "#test/render.tsx";
import { DocsScreen } from "./docs-screen.tsx";
import { KeyStatus } from "./key-status.tsx";
import { PageShell } from "./page-shell.tsx";
import { StatusScreen } from "./status-screen.tsx";
import { TasksScreen } from "./tasks-screen.tsx";

const map = (
  <PageShell current="/" layout="map">
    <main />
  </PageShell>
);
const docs = (
  <DocsScreen groups={[]}>
    <main />
  </DocsScreen>
);

it.each([
  ["Map", map, ["/tasks", "/status", "/docs"]],
  ["Tasks", <TasksScreen key="tasks" now={0} />, ["/", "/status", "/docs"]],
  ["Feeds", <StatusScreen key="status" open />, ["/", "/tasks", "/docs"]],
  ["API", docs, ["/", "/tasks", "/status"]],
] as const)(
  "the page %s links to the others, at the top and on a phone at the bottom",
  (title, page, others) => {
    const html = renderInPage(page);
    const navigations = html.match(/<nav aria-label="Pages".*?<\/nav>/g) ?? [];
    expect(navigations).toHaveLength(2);
    for (const [place, navigation] of navigations.entries()) {
      // The map has the alerts in its menus.
      const alerts = title === "Map" ? [] : ["/inbox"];
      const hrefs = [...navigation.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
      expect(hrefs.filter((href) => href !== "/#storms" && href !== "/inbox")).toEqual(others);
      expect(hrefs.filter((href) => href === "/inbox")).toEqual(alerts);
      expect(hrefs.includes("/#storms")).toBe(place === 1);
      expect(navigation).toMatch(new RegExp(`aria-current="page"[^>]*>${title}<`));
    }
    expect(html).toContain("Not for navigation.");
    expect(html.match(/<main/g)).toHaveLength(1);
  },
);

it("has the storms beside the map at the bottom of a phone, with their number, and opens them without a link", () => {
  const html = renderInPage(
    <PageShell current="/" layout="map" storms={{ count: 3, onOpen: () => {} }}>
      <main />
    </PageShell>,
  );
  const [top, bottom] = html.match(/<nav aria-label="Pages".*?<\/nav>/g) ?? [];
  expect(top).not.toContain("Storms");
  expect(bottom).toMatch(/Map<\/span><button[^>]*>Storms \(3\)<\/button><a href="\/tasks"/);
});

it("offers to change the key in use, and nothing without one", () => {
  expect(renderInPage(<KeyStatus />)).toContain('aria-label="API key"');
  expect(renderInPage(<KeyStatus />, { apiKey: null })).toBe("");
});

it("has its frame in the language of the page", () => {
  const html = renderInPage(<TasksScreen now={0} />, { words: fr });
  expect(html).toMatch(/aria-current="page"[^>]*>Tâches</);
  expect(html).toContain("Ne pas utiliser pour la navigation.");
  expect(html).not.toContain("Not for navigation");
});
