import { parseArgs } from "node:util";
import { limitForm, parseLimit } from "#lib/contract/limits.ts";
import { parseInstant } from "#lib/time.ts";
import type { ListedKey } from "./key-lookup.ts";
import type { KeyStore, NewKey } from "./keys.ts";

export interface KeysDependencies {
  /** Opens the keys. It is called only for a valid command. */
  open(): Promise<KeyStore>;
  out: { write(text: string): unknown };
  err: { write(text: string): unknown };
  /** The machine's clock, Unix seconds. */
  now: number;
}

const keysUsage = `Usage: keys create --owner <name> [--email <address>] [--limit "600 per 1 minute"] [--expires 2027-01-01]
       keys list
       keys revoke <prefix>

create prints the key once; only its hash is stored. Without --limit each group of
operations has its default limit; with --limit each group has that limit. A key works
until the start of the day of --expires (UTC), or until the time of --expires
(2027-01-01T12:00:00Z). A revoked key stops working within 5 seconds.
`;

/**
 * Runs `keys create|list|revoke`.
 *
 * @param args Arguments after `keys`.
 * @returns Exit code: 0 done, 1 no such key, 2 invalid command.
 */
export async function keysCommand(args: string[], deps: KeysDependencies): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === "create") return await create(rest, deps);
    if (name === "list") return await list(rest, deps);
    if (name === "revoke") return await revoke(rest, deps);
    if (name === "--help" || name === "-h") {
      deps.out.write(keysUsage);
      return 0;
    }
    throw new UsageError(name === undefined ? "keys needs a subcommand" : `There is no "keys ${name}"`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    deps.err.write(`${error.message}\n\n${keysUsage}`);
    return 2;
  }
}

class UsageError extends Error {
  override readonly name = "UsageError";
}

async function create(args: string[], { open, out, now }: KeysDependencies): Promise<number> {
  const key = readNewKey(args, now);
  const { record, text } = await (await open()).create(key);
  out.write(`${text}\n\nThis key is shown once. Owner ${record.owner}, prefix ${record.prefix}.\n`);
  return 0;
}

async function list(args: string[], { open, out, now }: KeysDependencies): Promise<number> {
  if (args.length > 0) throw new UsageError(`Unknown argument "${args[0]}"`);
  const keys = await (await open()).list();
  const rows = keys.map((key) => [
    key.prefix,
    key.owner,
    key.email ?? "-",
    key.limit?.text ?? "default",
    key.createdAt.toISOString().slice(0, 10),
    key.origin ?? "-",
    state(key, now),
  ]);
  out.write(table([["PREFIX", "OWNER", "E-MAIL", "LIMIT", "CREATED", "MADE BY", "STATE"], ...rows]));
  return 0;
}

async function revoke(args: string[], { open, out, err }: KeysDependencies): Promise<number> {
  const [prefix, ...more] = args;
  if (prefix === undefined || more.length > 0) throw new UsageError("keys revoke takes one prefix");
  const key = await (await open()).revoke(prefix);
  if (!key?.revokedAt) {
    err.write(`There is no key ${prefix}. "keys list" shows them.\n`);
    return 1;
  }
  out.write(`Key ${key.prefix} of ${key.owner} is revoked since ${key.revokedAt.toISOString()}.\n`);
  return 0;
}

function readNewKey(args: string[], now: number): NewKey {
  const { owner, email, limit, expires } = readOptions(args);
  if (!owner?.trim()) throw new UsageError("--owner names whose key it is");
  if (owner.length > 200) throw new UsageError("--owner has at most 200 characters");
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new UsageError(`--email ${email} is not an address`);
  }
  const ownLimit = limit === undefined ? undefined : parseLimit(limit);
  if (limit !== undefined && !ownLimit) throw new UsageError(`--limit is ${limitForm}`);
  return {
    owner: owner.trim(),
    email,
    limit: ownLimit,
    expiresAt: readExpiry(expires, now),
    origin: "command",
  };
}

function readOptions(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args, options: { owner: text, email: text, limit: text, expires: text } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function readExpiry(text: string | undefined, now: number): Date | undefined {
  if (text === undefined) return undefined;
  const seconds = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(seconds)) throw new UsageError("--expires is a day, 2027-01-01, or an instant of UTC");
  if (seconds <= now) throw new UsageError(`--expires ${text} is past`);
  return new Date(seconds * 1000);
}

function state(key: ListedKey, now: number): string {
  if (key.revokedAt) return `revoked ${key.revokedAt.toISOString().slice(0, 10)}`;
  if (!key.expiresAt) return "valid";
  const expired = key.expiresAt.getTime() / 1000 <= now;
  return `${expired ? "expired" : "valid until"} ${key.expiresAt.toISOString().replace("T00:00:00.000Z", "")}`;
}

function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}
