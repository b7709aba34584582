import { expect, it, onTestFinished } from "vitest";
import { weatherClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import { ConfigError, readEnv } from "#server/platform/env.ts";
import { NoSpaceError } from "#server/platform/errors.ts";
import { feedStates } from "#server/platform/feed-state.ts";
import { createLogger } from "#server/platform/log.ts";
import { type DatabasePlace, describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { newTask } from "#test/tasks.ts";
import { openContext } from "./context.ts";

describeWithDatabase("a process of the service", (fresh) => {
  const folder = temporaryFolders();

  const envOf = ({ dataDir, databaseUrl }: DatabasePlace, more: Record<string, string> = {}) =>
    readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DEMO: "never", LOG_LEVEL: "silent", ...more });

  async function open(place: DatabasePlace, more?: Record<string, string>) {
    const env = envOf(place, more);
    const { context } = await openContext(env, createLogger("silent", [], { write() {} }));
    onTestFinished(() => context.close());
    return context;
  }

  it("says that it is not ready, and refuses tasks, while the disk has less space than it must leave free", async () => {
    const context = await open(await fresh(), { MIN_FREE_MB: "99999999" });
    expect(await context.ready()).toMatchObject({
      database: undefined,
      storage: "full: no tasks are accepted",
    });
    await expect(context.tasks.submit(newTask("a"), Buffer.from("{}"))).rejects.toThrow(NoSpaceError);
    const { body } = await context.metrics.text();
    expect(body).toMatch(/^storage_free_bytes [1-9]\d+$/m);
    expect(body).toMatch(/^storage_held_bytes 0$/m);
  });

  it("is ready where there is space", async () => {
    const context = await open(await fresh(), { MIN_FREE_MB: "1" });
    expect(await context.ready()).toMatchObject({ storage: undefined });
    expect(await context.tasks.submit(newTask("a"), Buffer.from("{}"))).toBe("taken");
  });

  it("tells the bytes of the day at which the weather clock stands, on which what fetches has counted them", async () => {
    const place = await fresh();
    const frozen = { METOCEAN_NOW: "2026-09-15T12:00:00Z", FEEDS: "gfs" };
    const context = await open(place, frozen);
    const database = await openDatabase(place);
    onTestFinished(() => database.close());
    const { frozenAt } = envOf(place, frozen);
    await feedStates(database.prisma, weatherClock(frozenAt)).count("gfs", 1234);
    expect((await context.feeds.read()).feeds).toMatchObject([{ name: "gfs", bytes_today: 1234 }]);
  });

  it("does not start beside one that has other folders", async () => {
    const place = await fresh();
    await open(place);
    await expect(open({ ...place, dataDir: folder() })).rejects.toThrow(ConfigError);
    await open(place);
  });
});
