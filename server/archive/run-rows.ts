import type { Prisma, PrismaClient } from "#prisma/generated/client.ts";
import { ProcessingError, StoreUnavailableError, UnavailableError } from "#server/platform/errors.ts";
import type { Listener, NotificationHandler } from "#server/platform/session.ts";
import { GRACE_S, RUNS } from "./folder-publication.ts";
import type { ManifestSource } from "./manifest.ts";
import { contentOf, type Manifest, nextOf, type Run, replaces, runSchema } from "./run.ts";

/** Channel that is notified of each change of the catalog, with the new revision. */
export const ARCHIVE_CHANNEL = "metocean_archive";

/** The row of `setting` with the number of the catalog's newest state. Every change of the catalog locks it. */
const REVISION = "archive_revision";
/** The row of `setting` with the time at which the objects were listed last, Unix seconds. */
const LISTED = "archive_listed_at";
const LIST_EVERY_S = 3600;
/** Time limit of a change, including the wait for earlier changes, milliseconds. */
const CHANGE_MS = 60_000;
/** A writer without a heartbeat for this long counts as dead. */
const SILENCE_S = 3600;

type Tables = Pick<PrismaClient, "$queryRaw" | "$executeRaw" | "$transaction">;
type Transaction = Prisma.TransactionClient;

/** A manifest with its revision, which grows with each change. */
type RevisedManifest = Manifest & { revision: number };

/**
 * The catalog of an archive in a bucket: the table `archive_run`. It is changed by transactions that wait for each other, and
 * only by the database's clock.
 */
export class RunRows {
  readonly #tables: Tables;
  /** Runs by their path; descriptions of runs never change. */
  readonly #known = new Map<string, Run>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Number of the newest state; 0 before anything was published. */
  async revision(): Promise<number> {
    const [row] = await this.#tables.$queryRaw<{ value: string }[]>`
      SELECT value FROM setting WHERE name = ${REVISION}`;
    return Number(row?.value ?? 0);
  }

  /** Returns the published runs, in the order of publication. */
  async manifest(): Promise<RevisedManifest> {
    return this.#manifestOf(this.#tables);
  }

  /**
   * Takes a folder of the bucket for the objects of a run, which nobody else writes to.
   *
   * @param run With the id of its content.
   * @returns The run with that folder, and an id that no other run has.
   */
  async begin(run: Run): Promise<Run> {
    for (let id = run.id; ; id = nextOf(id)) {
      const path = `${RUNS}/${id}`;
      const added = await this.#tables.$executeRaw`
        INSERT INTO archive_run (path, run_id, dataset, source, reference_time)
        VALUES (${path}, ${id}, ${run.dataset}, ${run.source}, ${new Date(run.referenceTime * 1000)})
        ON CONFLICT (path) DO NOTHING`;
      if (added > 0) return { ...run, id, path };
    }
  }

  /** Records a heartbeat of a run that is being written. */
  async touch(path: string): Promise<void> {
    await this.#tables.$executeRaw`UPDATE archive_run SET touched_at = now() WHERE path = ${path}`;
  }

  /**
   * Publishes a run whose objects are all there, in place of those that it replaces. If another process has published
   * the same content meanwhile, that run is returned and this one is given up.
   *
   * @param bytes Bytes of the run's objects.
   * @param damaged Path of a published run of the same content that is to be replaced.
   * @throws ProcessingError if the run has been given up because its writer sent no heartbeat for an hour.
   */
  publish(run: Run, bytes: number, damaged?: string): Promise<Run> {
    return this.#change(async (tables, revision) => {
      const { runs } = await this.#manifestOf(tables);
      const same = runs.find(({ id, path }) => contentOf(id) === contentOf(run.id) && path !== damaged);
      if (same) {
        await giveUp(tables, run.path);
        return same;
      }
      const retired = runs.filter((other) => replaces(run, other)).map(({ path }) => path);
      await retire(tables, retired);
      const published = await tables.$executeRaw`
        UPDATE archive_run
        SET description = ${JSON.stringify(run)}, bytes = ${BigInt(bytes)}, published_at = clock_timestamp(), revision = ${revision}
        WHERE path = ${run.path} AND published_at IS NULL AND replaced_at IS NULL`;
      if (published === 0)
        throw new ProcessingError(`${run.path} took too long to write, and was given up; start it again`);
      return run;
    });
  }

  /** Withdraws runs; their objects stay for the grace. @returns Those that were withdrawn. */
  async remove(unwanted: (runs: readonly Run[]) => ReadonlySet<Run>): Promise<Run[]> {
    return this.#change(async (tables) => {
      const { runs } = await this.#manifestOf(tables);
      const gone = unwanted(runs);
      const paths = runs.filter((run) => gone.has(run)).map(({ path }) => path);
      await retire(tables, paths);
      return [...gone];
    });
  }

  /**
   * Takes over a manifest that is newer than this catalog: its runs, whose objects the bucket has, are what is published from
   * then on.
   *
   * @param bytes Of the objects of each run, by its path.
   */
  adopt({ runs, revision = 0 }: Manifest, bytes: ReadonlyMap<string, number>): Promise<void> {
    return this.#change(async (tables, next) => {
      for (const [i, run] of runs.entries()) {
        await tables.$executeRaw`
          INSERT INTO archive_run AS known
            (path, run_id, dataset, source, reference_time, description, bytes, published_at, revision)
          VALUES (${run.path}, ${run.id}, ${run.dataset}, ${run.source}, ${new Date(run.referenceTime * 1000)},
            ${JSON.stringify(run)}, ${BigInt(bytes.get(run.path) ?? 0)}, clock_timestamp(), ${next - BigInt(runs.length - i)})
          ON CONFLICT (path) DO UPDATE SET
            description = excluded.description, bytes = excluded.bytes, published_at = excluded.published_at,
            replaced_at = NULL, revision = excluded.revision
          WHERE known.published_at IS NULL OR known.replaced_at IS NOT NULL`;
      }
      const published = new Set(runs.map(({ path }) => path));
      const others = (await this.#manifestOf(tables)).runs.filter(({ path }) => !published.has(path));
      await retire(
        tables,
        others.map(({ path }) => path),
      );
    }, revision);
  }

  /** Gives up a run that was not published. Does nothing to one that was. */
  async giveUp(path: string): Promise<void> {
    await giveUp(this.#tables, path);
  }

  /** Folders of the bucket whose objects are to be deleted: nobody reads them any more. They never become published. */
  async due(): Promise<string[]> {
    await this.#tables.$executeRaw`
      UPDATE archive_run SET replaced_at = now()
      WHERE published_at IS NULL AND replaced_at IS NULL AND touched_at < now() - ${SILENCE_S} * interval '1 second'`;
    const rows = await this.#tables.$queryRaw<{ path: string }[]>`
      SELECT path FROM archive_run
      WHERE replaced_at IS NOT NULL
        AND (published_at IS NULL OR replaced_at < now() - ${GRACE_S} * interval '1 second')
      ORDER BY replaced_at`;
    return rows.map(({ path }) => path);
  }

  /** Forgets a folder that was due; the caller has deleted its objects. */
  async forget(path: string): Promise<void> {
    await this.#tables.$executeRaw`
      DELETE FROM archive_run WHERE path = ${path} AND replaced_at IS NOT NULL`;
  }

  /**
   * Returns every folder that may have objects, and the time (Unix seconds) before which an object outside of them was
   * left behind.
   */
  async folders(): Promise<{ paths: Set<string>; leftBefore: number }> {
    const rows = await this.#tables.$queryRaw<{ path: string }[]>`SELECT path FROM archive_run`;
    const [clock] = await this.#tables.$queryRaw<{ now: number }[]>`
      SELECT extract(epoch FROM now())::float8 AS now`;
    return { paths: new Set(rows.map(({ path }) => path)), leftBefore: clock!.now - SILENCE_S };
  }

  /** Returns whether the caller should list all objects now: one process does so once an hour. */
  async isListingDue(): Promise<boolean> {
    const taken = await this.#tables.$executeRaw`
      INSERT INTO setting AS known (name, value) VALUES (${LISTED}, extract(epoch FROM now())::text)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE known.value::float8 NOT BETWEEN excluded.value::float8 - ${LIST_EVERY_S} AND excluded.value::float8`;
    return taken > 0;
  }

  /** Bytes of the runs that are published, or were and are still there. */
  async bytes(): Promise<number> {
    const [row] = await this.#tables.$queryRaw<{ bytes: number }[]>`
      SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM archive_run WHERE published_at IS NOT NULL`;
    return row!.bytes;
  }

  /** One statement reads the runs and the revision, so that both belong to the same state. */
  async #manifestOf(tables: Pick<Tables, "$queryRaw">): Promise<RevisedManifest> {
    // A concurrent call may remove entries from the map meanwhile.
    const known = new Map(this.#known);
    const rows = await tables.$queryRaw<
      { value: string | null; path: string | null; description: string | null }[]
    >`
      SELECT (SELECT value FROM setting WHERE name = ${REVISION}) AS value, path,
        CASE WHEN path = ANY(${[...known.keys()]}::text[]) THEN NULL ELSE description END AS description
      FROM (SELECT 1) AS one LEFT JOIN archive_run ON published_at IS NOT NULL AND replaced_at IS NULL
      ORDER BY revision, path`;
    const runs: Run[] = [];
    for (const { path, description } of rows) {
      if (path === null) continue;
      const run = description === null ? known.get(path)! : runSchema.parse(JSON.parse(description));
      this.#known.set(path, run);
      runs.push(run);
    }
    const published = new Set(runs.map(({ path }) => path));
    for (const path of this.#known.keys()) if (!published.has(path)) this.#known.delete(path);
    return { version: 1, runs, revision: Number(rows[0]?.value ?? 0) };
  }

  /** @param after The new revision is greater than this one too. */
  async #change<T>(work: (tables: Transaction, revision: bigint) => Promise<T>, after = 0): Promise<T> {
    return this.#tables.$transaction(
      async (tables) => {
        await tables.$executeRaw`
          INSERT INTO setting (name, value) VALUES (${REVISION}, '0') ON CONFLICT (name) DO NOTHING`;
        // The revision derives from the time, so that a database restored from a copy continues with numbers that were
        // not used before.
        const [row] = await tables.$queryRaw<{ revision: bigint }[]>`
          UPDATE setting SET value = greatest(
            value::bigint + 1, ${BigInt(after)}::bigint + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)::text
          WHERE name = ${REVISION} RETURNING value::bigint AS revision`;
        const { revision } = row!;
        const result = await work(tables, revision);
        await tables.$executeRaw`SELECT pg_notify(${ARCHIVE_CHANNEL}, ${String(revision)})`;
        return result;
      },
      { maxWait: CHANGE_MS, timeout: CHANGE_MS },
    );
  }
}

async function retire(tables: Pick<Tables, "$executeRaw">, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await tables.$executeRaw`
    UPDATE archive_run SET replaced_at = clock_timestamp() WHERE path = ANY(${paths}::text[]) AND replaced_at IS NULL`;
}

async function giveUp(tables: Pick<Tables, "$executeRaw">, path: string): Promise<void> {
  await tables.$executeRaw`
    UPDATE archive_run SET replaced_at = clock_timestamp()
    WHERE path = ${path} AND published_at IS NULL AND replaced_at IS NULL`;
}

/** Interval at which the catalog is read in any case, since a notification may be lost, milliseconds. */
const LOOK_EVERY_MS = 5000;

export interface RowManifestDeps {
  rows: Pick<RunRows, "revision" | "manifest">;
  listen(channel: string, handler: NotificationHandler): Listener;
  /** Calls `look` at an interval. @returns A function that stops it. */
  every?(milliseconds: number, look: () => void): () => void;
}

/** Reads the catalog from PostgreSQL: on each notification of a change, and every five seconds. */
export function rowManifest({ rows, listen, every = byTimer }: RowManifestDeps): ManifestSource {
  let known: number | undefined;
  let listener: Listener | undefined;
  let stop: (() => void) | undefined;
  return {
    async changed() {
      try {
        if ((await rows.revision()) === known) return undefined;
        const manifest = await rows.manifest();
        known = manifest.revision;
        return manifest;
      } catch (cause) {
        if (cause instanceof UnavailableError) throw cause;
        throw new StoreUnavailableError("The list of runs cannot be read from the database", { cause });
      }
    },
    watch(onChange) {
      listener = listen(ARCHIVE_CHANNEL, { notified: onChange, connected: onChange });
      stop = every(LOOK_EVERY_MS, onChange);
    },
    async close() {
      stop?.();
      await listener?.close();
    },
  };
}

function byTimer(milliseconds: number, look: () => void): () => void {
  const timer = setInterval(look, milliseconds).unref();
  return () => clearInterval(timer);
}
