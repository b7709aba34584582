import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";

/** The file is not a backup, or not a whole one. */
export class BackupDamagedError extends Error {
  override readonly name = "BackupDamagedError";
}

/** The first line of a backup. */
const headerSchema = z.object({
  /** Version of this form. */
  openMetOceanBackup: z.literal(1),
  /** Version of the service that wrote it. */
  version: z.string(),
  /** By the database's clock. */
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  /** The secret of the keys, or, where it is in the environment, what tells it from another. */
  pepper: z.union([
    z.object({ value: z.string().min(16) }),
    z.object({ salt: z.string().min(16), check: z.string().min(16) }),
  ]),
  /** Where the files lay that rows name, for people. */
  files: z.object({ blobs: z.string(), archive: z.string() }),
  /** In the order of the lines that follow. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int().min(0) })),
});

export type BackupHeader = z.infer<typeof headerSchema>;

const LAST_LINE = '{"end":true}';

/** No row is as long: a text of a storm feed has 16 MiB at most. */
const MAX_LINE_BYTES = 200 * 2 ** 20;

/**
 * A backup as gzip of JSON lines: a header, the rows of its tables, and a last line without which it is not whole.
 *
 * @param rows Each an object as JSON, on one line.
 */
export function packBackup(header: BackupHeader, rows: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const lines = async function* () {
    yield `${JSON.stringify(header)}\n`;
    for await (const row of rows) yield `${row}\n`;
    yield `${LAST_LINE}\n`;
  };
  // An error of the lines is thrown to the reader of the last stream too.
  return pipeline(lines, createGzip(), () => {});
}

/** A backup that is being read. */
export interface OpenedBackup {
  header: BackupHeader;
  /** The rows of the next table, as JSON. Tables have to be read in order, each to its end. */
  rowsOf(table: BackupHeader["tables"][number]): AsyncIterable<string>;
  /** @throws BackupDamagedError unless this is the end of a whole backup. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/** @throws BackupDamagedError where the file is none, or was made by a version that writes another form. */
export async function openBackup(file: string): Promise<OpenedBackup> {
  const lines = readLines(file);
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new BackupDamagedError(`${file} ends early: it is not a whole backup.`);
    return value;
  };
  try {
    const header = parseHeader(file, await next());
    return {
      header,
      async *rowsOf({ rows }) {
        for (let row = 0; row < rows; row++) yield await next();
      },
      async end() {
        if ((await next()) !== LAST_LINE || !(await lines.next()).done)
          throw new BackupDamagedError(`${file} has more rows than its first line says.`);
      },
      close: async () => void (await lines.return(undefined)),
    };
  } catch (error) {
    await lines.return(undefined);
    throw error;
  }
}

function parseHeader(file: string, line: string): BackupHeader {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    throw new BackupDamagedError(`${file} is not a backup of this service.`);
  }
  const { success, data } = headerSchema.safeParse(content);
  if (!success)
    throw new BackupDamagedError(
      `${file} is not a backup of this service, or one that another version of it wrote.`,
    );
  return data;
}

/** Lines that end with a line feed: Node's own readline also ends them at characters that JSON may contain. */
async function* readLines(file: string): AsyncGenerator<string, undefined> {
  const bytes = pipeline(createReadStream(file), createGunzip(), () => {});
  let begun: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
        begun = [];
        length = 0;
        start = end + 1;
      }
      begun.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > MAX_LINE_BYTES) throw new BackupDamagedError(`${file} is not a backup of this service.`);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw error;
    throw new BackupDamagedError(`${file} is damaged or not whole: ${(error as Error).message}.`);
  }
  return undefined;
}
