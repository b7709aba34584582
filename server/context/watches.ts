import type { Database } from "#server/platform/db.ts";
import { AlertStore } from "#server/watches/alerts.ts";
import type { KnownWorld } from "#server/watches/evaluate.ts";
import { Lease } from "#server/watches/lease.ts";
import { WatchRounds } from "#server/watches/rounds.ts";
import { WatchStore } from "#server/watches/store.ts";
import { lookAtWorld, type WorldDeps } from "./watch-world.ts";

/** Watches and the inbox of their owners. */
export interface Watches {
  store: WatchStore;
  alerts: AlertStore;
  /** What is published now. */
  look(): Promise<KnownWorld>;
  /** Evaluates watches in this process, in turn with others. */
  start(): void;
  close(): Promise<void>;
}

export function openWatches(
  database: Pick<Database, "prisma" | "listen">,
  { log, ...deps }: WorldDeps & { log: { warn(fields: object, message: string): void } },
): Watches {
  const tables = database.prisma;
  const store = new WatchStore(tables);
  const look = () => lookAtWorld(deps);
  const rounds = new WatchRounds({
    store,
    lease: new Lease(tables, "evaluation"),
    look,
    listen: database.listen,
    log,
  });
  return {
    store,
    alerts: new AlertStore(tables),
    look,
    start: () => rounds.start(),
    close: () => rounds.close(),
  };
}
