import type { Alert } from "#lib/contract/watch.ts";
import { alertMessage } from "#lib/watches/message.ts";
import { Prisma } from "#prisma/generated/client.ts";
import type { AlertModel } from "#prisma/generated/models.ts";
import type { WatchTables } from "./store.ts";

/** Where a page of a list ends. */
export type Position = Pick<AlertModel, "createdAt" | "id">;

/** The inbox of each owner. */
export class AlertStore {
  readonly #db: WatchTables;

  constructor(db: WatchTables) {
    this.#db = db;
  }

  /** Newest first. @param before The last one of the page before. */
  list(owner: string, limit: number, before?: Position): Promise<AlertModel[]> {
    return this.#db.alert.findMany({
      where: {
        owner,
        ...(before && {
          OR: [
            { createdAt: { lt: before.createdAt } },
            { createdAt: before.createdAt, id: { lt: before.id } },
          ],
        }),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit,
    });
  }

  /** How many are not marked as read. */
  unread(owner: string): Promise<number> {
    return this.#db.alert.count({ where: { owner, readAt: null } });
  }

  /** Marks alerts as read; those of others and unknown ones are left alone. @param ids All where left out. */
  async markRead(owner: string, ids?: readonly string[]): Promise<void> {
    const which = ids ? Prisma.sql`AND id = ANY(${ids}::uuid[])` : Prisma.empty;
    await this.#db.$executeRaw`
      UPDATE alert SET read_at = now() WHERE owner = ${owner} AND read_at IS NULL ${which}`;
  }
}

/** An alert as it is answered. */
export function alertForm({ id, payload, createdAt, readAt }: AlertModel): Alert {
  const message = alertMessage.parse(payload);
  return {
    id,
    kind: message.kind,
    message,
    created_at: createdAt.toISOString(),
    read_at: readAt?.toISOString() ?? null,
  };
}
