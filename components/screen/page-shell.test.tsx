import { expect, it } from "vitest";
import { fr } from "#lib/messages/generated/fr.ts";
import { renderInPage } from "#test/render.tsx";
import { DocsScreen } from "./docs-screen.tsx";
import { KeyStatus } from "./key-status.tsx";
import { StatusScreen } from "./status-screen.tsx";
import { TasksScreen } from "./tasks-screen.tsx";

const docs = (
  <DocsScreen groups={[]}>
    <main />
  </DocsScreen>
);

it.each([
  ["Tasks", <TasksScreen key="tasks" now={0} />, ["/", "/inbox", "/status", "/docs"]],
  ["Feeds", <StatusScreen key="status" open />, ["/", "/tasks", "/inbox", "/docs"]],
  ["API", docs, ["/", "/tasks", "/inbox", "/status"]],
] as const)("the page %s links to the others", (title, page, others) => {
  const html = renderInPage(page);
  const [navigation = ""] = html.match(/<nav aria-label="Pages".*?<\/nav>/) ?? [];
  expect([...navigation.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(others);
  expect(navigation).toMatch(new RegExp(`aria-current="page"[^>]*>${title}<`));
  expect(html).toContain("Not for navigation.");
  expect(html.match(/<main/g)).toHaveLength(1);
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
