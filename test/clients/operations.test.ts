import { readFileSync } from "node:fs";
import { createClient } from "@open-metocean/client";
import { expect, it } from "vitest";
import { taskKinds } from "#lib/contract/task.ts";
import { apiDocument } from "#server/operations/operations.ts";

/** Paths with third-party clients: those of any client of their standard. */
const OTHERS = /^\/edr(?:\/|$)/;

const id = "{id}";
// Only the address of a request matters here.
const body = {} as never;

it("every published operation has a method, by its method and path", async () => {
  const asked = new Set<string>();
  const client = createClient({
    url: "",
    retry: false,
    fetch: async (url, init) => {
      const [path] = decodeURIComponent(String(url)).split("?");
      asked.add(`${init?.method ?? "GET"} ${path}`);
      return Response.json({ task_id: id, status: "SUCCESS" }, { headers: { etag: '"1"' } });
    },
  });
  const { tasks, passages, storms, tides, watches, alerts, channels } = client;
  await Promise.all([
    client.point(body),
    client.points(body),
    client.pointRuns(body),
    client.ensemble(body),
    client.box(body),
    client.files.estimate(body),
    client.feeds(),
    client.limits(),
    client.openapi(),
    client.health(),
    client.readiness(),
    passages.evaluate(body),
    passages.optimise(body),
    client.workability.get(body),
    tasks.points(body),
    tasks.list(),
    tasks.list({ state: "PENDING" }),
    tasks.state(id),
    tasks.request(id),
    tasks.cancel(id),
    tasks.delete(id),
    tasks.open(id).progress().next(),
    storms.list({ provider: "jtwc" }),
    storms.outlooks({ provider: "jtwc" }),
    storms.approach(body),
    storms.danger(id, { provider: "jtwc" }),
    storms.history(id, { provider: "jtwc" }),
    tides.stations({}),
    tides.get(id),
    tides.nearest({ lat: 48.4, lon: -4.5 }),
    tides.now({ bbox: "-6,47,-1,51" }),
    watches.list(),
    watches.get(id),
    watches.create(body),
    watches.change(id, body),
    watches.delete(id),
    watches.test(id),
    alerts.list(),
    alerts.read(),
    channels.list(),
    channels.create(body),
    channels.delete(id),
    channels.test(id),
    channels.renewSecret(id),
    channels.askConfirmation(id),
    channels.openCalendar(),
    channels.closeCalendar(),
    channels.calendar(id),
  ]);
  const published = Object.entries(apiDocument("0").paths as Record<string, object>)
    .filter(([path]) => !OTHERS.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  const pattern = (operation: string) =>
    operation.replace(/\{state\}|PENDING/, "{}").replaceAll(/\{\w+\}/g, "{}");
  expect([...asked].map(pattern).sort()).toEqual(published.map(pattern).sort());
});

it("every kind of task has a method, with the operation that takes it and its body", async () => {
  const sent: string[] = [];
  const { tasks } = createClient({
    url: "",
    retry: false,
    fetch: async (url, init) => {
      const { async } = JSON.parse(String(init?.body)) as { async?: boolean };
      expect(new Headers(init?.headers).get("idempotency-key")).toMatch(/^.{16,}$/);
      const path = String(url).slice(1);
      sent.push(async ? path : path.replace(/\/async$/, ""));
      return Response.json({ task_id: id, status: "PENDING" }, { status: 202 });
    },
  });
  const made = [tasks.points, tasks.box, tasks.files, tasks.evaluate, tasks.optimise, tasks.workability];
  await Promise.all(made.map((make) => make(body)));
  expect(sent.sort()).toEqual([...taskKinds].sort());
});

it("the Python client has every operation that computes, with these exceptions", () => {
  const file = new URL("../../clients/python/open_metocean/client.py", import.meta.url);
  const source = readFileSync(file, "utf8");
  const computes = /^\/(MetOcean|2DMetOcean|files|storms|passages|workability)\b/;
  const absent = Object.entries(apiDocument("0").paths as Record<string, object>)
    .filter(([path, methods]) => "post" in methods && computes.test(path) && !source.includes(`"${path}"`))
    .map(([path]) => path);
  expect(absent.sort()).toEqual(["/MetOcean/runs", "/passages/optimise"]);
});
