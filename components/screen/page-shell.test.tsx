import { expect, it } from "vitest";
import { fr } from "#lib/messages/generated/fr.ts";
import { renderInPage } from "#test/render.tsx";
import { DocsScreen } from "./docs-screen.tsx";
import { StatusScreen } from "./status-screen.tsx";
import { TasksScreen } from "./tasks-screen.tsx";

const docs = <DocsScreen groups={[]}>{<main />}</DocsScreen>;
const tasks = <TasksScreen key="tasks" now={0} />;

it.each([
  ["Tasks", tasks, ["/", "/inbox", "/status", "/docs"], {}],
  ["Feeds", <StatusScreen key="status" open />, ["/", "/tasks", "/inbox", "/docs"], {}],
  ["API", docs, ["/", "/tasks", "/inbox", "/status"], {}],
  ["Tâches", tasks, ["/", "/inbox", "/status", "/docs"], { words: fr }],
] as const)(
  "the page %s links to the others, in its language",
  (title, page, others, { words }: { words?: typeof fr }) => {
    const html = renderInPage(page, words && { words });
    const [navigation = ""] = html.match(/<nav aria-label="Pages".*?<\/nav>/) ?? [];
    expect([...navigation.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(others);
    expect(navigation).toMatch(new RegExp(`aria-current="page"[^>]*>${title}<`));
    expect(html).toContain(words ? "Ne pas utiliser pour la navigation." : "Not for navigation.");
    expect(html.match(/<main/g)).toHaveLength(1);
  },
);
