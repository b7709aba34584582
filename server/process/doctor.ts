import { originOf } from "#lib/contract/tile-overlay.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { RUNS, runPathOf } from "#server/archive/folder-publication.ts";
import { claimStore } from "#server/archive/maintain-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { selectedFeeds } from "#server/context/feeds.ts";
import { catalogOf, type SharedPlace } from "#server/context/run-archive.ts";
import { quarantined } from "#server/ingest/feeds/feed-progress.ts";
import { readTileOverlays } from "#server/pages/tile-overlays.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { describePlace, type RemotePlace } from "#server/platform/blob-url.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { USER_PREFIX } from "#server/platform/embedded-postgres.ts";
import type { Env } from "#server/platform/env.ts";
import { describeFailure } from "#server/platform/errors.ts";
import { freeBytes } from "#server/platform/files.ts";
import { folderBlobStore, openBlobs } from "#server/platform/folder-blob-store.ts";
import { compareNamedBlobs } from "#server/tasks/retention.ts";
import { feedsHint, guestsInWords } from "./startup-banner.ts";

const NAME_WIDTH = 16;
const INDENT = `\n${" ".repeat(NAME_WIDTH)}`;

/**
 * `doctor` describes this installation and checks its parts. It changes nothing that a start would not change.
 *
 * @returns Exit code: 0 if every part works, otherwise 1.
 */
export async function doctorCommand(env: Env, out: { write(text: string): unknown }): Promise<number> {
  let opened: Promise<Database> | undefined;
  const open = () => {
    opened ??= openDatabase(env);
    return opened;
  };
  const parts: [string, () => string | Promise<string>][] = [
    ["Node", () => `${process.version} on ${process.platform} ${process.arch}`],
    ["Data directory", () => env.dataDir],
    ["Database", async () => database(await open())],
    ["Archive", () => archive(env, open)],
    ["Feeds", () => feeds(env)],
    ["Overlays", () => overlays(env)],
    ["Visitors", () => guestsInWords(env.guests)],
    ["Tasks", async () => tasks(env, await open())],
    ["Free space", async () => megabytes(await freeBytes(env.dataDir))],
    [
      "Weather clock",
      () => (env.frozenAt === undefined ? "runs" : `stands at ${formatInstant(env.frozenAt)}`),
    ],
  ];
  let failed = 0;
  for (const [name, examine] of parts) {
    try {
      out.write(`${name.padEnd(NAME_WIDTH)}${await examine()}\n`);
    } catch (error) {
      failed++;
      out.write(`${name.padEnd(NAME_WIDTH)}FAILS: ${describeFailure(error)}\n`);
    }
  }
  await opened?.then(
    (each) => each.close(),
    () => {},
  );
  return failed === 0 ? 0 : 1;
}

async function database(opened: Database): Promise<string> {
  await opened.ping();
  const keys = await opened.prisma.apiKey.count();
  const [server] = await opened.prisma.$queryRaw<{ version: string }[]>`
    select current_setting('server_version') as version`;
  const kind = opened.kind === "embedded" ? "embedded PostgreSQL" : "PostgreSQL";
  const summary = `${kind} ${server?.version}, ${keys} ${keys === 1 ? "key" : "keys"}`;
  const users = opened.kind === "embedded" ? await otherUsers(opened) : [];
  return [summary, ...users, ...(await tableSizes(opened))].join(INDENT);
}

/** Sizes of the whole database and of its tables with their indices, the largest first. */
async function tableSizes({ prisma }: Database): Promise<string[]> {
  const [whole] = await prisma.$queryRaw<{ bytes: bigint }[]>`
    select pg_database_size(current_database()) as bytes`;
  const tables = await prisma.$queryRaw<
    { name: string; bytes: bigint; rows: bigint; vacuumed: Date | null }[]
  >`
    select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as rows,
      greatest(last_vacuum, last_autovacuum) as vacuumed
    from pg_stat_user_tables where schemaname = current_schema() order by bytes desc, name`;
  const lines = tables.map(({ name, bytes, rows, vacuumed }) => {
    const when = vacuumed
      ? `vacuumed ${formatInstant(Math.floor(vacuumed.getTime() / 1000))}`
      : "never vacuumed";
    return `${megabytes(Number(bytes))} ${name}, about ${rows} rows, ${when}`;
  });
  return [`${megabytes(Number(whole?.bytes ?? 0))} in all`, ...lines];
}

/** Other processes that use the embedded database. */
async function otherUsers({ prisma }: Database): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ name: string; since: Date }[]>`
    select substr(application_name, ${USER_PREFIX.length + 1}::int) as name, backend_start as since
    from pg_stat_activity where starts_with(application_name, ${USER_PREFIX}) order by backend_start`;
  return rows
    .filter(({ name }) => !name.startsWith(`process ${process.pid} `))
    .map(({ name, since }) => `used by ${name}, since ${formatInstant(since.getTime() / 1000)}`);
}

async function archive(env: Env, open: () => Promise<Database>): Promise<string> {
  const { place } = env.archive;
  if (place.kind === "s3") return sharedArchive(place, await open());
  const { runs } =
    place.kind === "folder" ? await readManifest(place.folder) : await remoteManifest(place, env.dataDir);
  if (runs.length === 0 && place.kind !== "folder")
    return `empty: ${describePlace(place)}; fill it with: npm run metocean -- archive push <url>`;
  if (runs.length === 0)
    return "empty; fill it with: FEEDS=lite npm start, or from files: npm run metocean -- ingest --help";
  const where =
    place.kind === "folder"
      ? sizeOf(await sumOf(folderBlobStore(place.folder)))
      : `in ${describePlace(place)}`;
  return described(runs, where);
}

/** Checks an archive in a bucket: every file that the catalog in the database lists must be there. */
async function sharedArchive(place: SharedPlace, database: Database): Promise<string> {
  const blobs = await openBlobs(place);
  try {
    const catalog = catalogOf(place, database, blobs);
    await claimStore(catalog);
    const { runs } = await catalog.rows.manifest();
    if (runs.length === 0)
      return `empty: ${catalog.where}; fill it with: FEEDS=lite npm start, npm run metocean -- ingest --help, or archive push`;
    const there = new Set<string>();
    for await (const { key } of blobs.list(RUNS)) there.add(runPathOf(key));
    const lost = runs.filter(({ path }) => !there.has(path)).map(({ id }) => id);
    if (lost.length > 0)
      throw new Error(
        `${lost.length} of ${runs.length} runs have no objects in ${catalog.where}: ${lost.join(", ")}`,
      );
    return described(runs, `${megabytes(await catalog.rows.bytes())}, in ${catalog.where}`);
  } finally {
    blobs.close();
  }
}

function described(runs: readonly Run[], where: string): string {
  const lines = runs.map((run) => {
    const fixed = run.times.length === 1 && run.times[0] === 0;
    const span = fixed ? "fixed" : `${formatInstant(run.times[0]!)} to ${formatInstant(run.times.at(-1)!)}`;
    return `${run.dataset}, ${run.model}, ${span}, ${Object.keys(run.fields).length} fields (${run.id})`;
  });
  return [`${runs.length} runs, ${where}`, ...lines].join(INDENT);
}

async function remoteManifest(place: Exclude<RemotePlace, SharedPlace>, dataDir: string): Promise<Manifest> {
  const { openRemoteStore } = await import("#server/archive/remote/open-remote.ts");
  const store = await openRemoteStore(place, { dataDir, cacheBytes: 0 });
  try {
    return await openCatalog(store).refresh();
  } finally {
    store.close();
  }
}

async function feeds(env: Env): Promise<string> {
  const { fields, storms, extent } = selectedFeeds(env);
  const names = [...fields.map(({ name }) => name), ...storms];
  const held = (await quarantined(env.feeds.folder)).map(
    ({ feed, part, reason, folder }) => `in quarantine: ${feed}, ${part}: ${reason} (${folder})`,
  );
  const lines = names.length === 0 ? [`none; ${feedsHint}`] : [`${names.join(", ")}, extent ${extent}`];
  return [...lines, ...held].join(INDENT);
}

/** Tiles of other services, with the host from which visitors fetch each. */
function overlays({ overlays: folder }: Env): string {
  const found = readTileOverlays(folder);
  return found.length === 0
    ? "none"
    : found.map((overlay) => `${overlay.id}, from ${originOf(overlay)}`).join(INDENT);
}

/** Compares the files of tasks with the rows that name them; some may be missing after a restore. */
async function tasks({ blobs: place }: Env, { prisma }: Database): Promise<string> {
  const blobs = await openBlobs(place);
  try {
    const size = sizeOf(await sumOf(blobs));
    const { named, missing, examples } = await compareNamedBlobs(prisma, blobs);
    if (missing > 0)
      throw new Error(
        `${missing} of ${named} requests, results and answers that the database names are not in ${describePlace(place)}: ${examples.join(", ")}${missing > examples.length ? ", …" : ""}`,
      );
    return place.kind === "folder" ? size : `${size}, in ${describePlace(place)}`;
  } finally {
    blobs.close();
  }
}

async function sumOf(store: Pick<BlobStore, "list">): Promise<{ count: number; bytes: number }> {
  const total = { count: 0, bytes: 0 };
  for await (const { bytes } of store.list()) {
    total.count++;
    total.bytes += bytes;
  }
  return total;
}

function sizeOf({ count, bytes }: { count: number; bytes: number }): string {
  return `${count} ${count === 1 ? "file" : "files"}, ${megabytes(bytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
