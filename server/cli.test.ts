import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { KeyStore } from "#server/keys/keys.ts";
import { keysCommand } from "#server/keys/keys-command.ts";
import { readEnv } from "#server/platform/env.ts";
import { doctorCommand } from "#server/process/doctor.ts";
import { migratedDataDirs } from "#test/databases.ts";
import { metocean } from "#test/processes.ts";

const fresh = migratedDataDirs();

describe("the command line", () => {
  it.each([
    [[], "keys needs a subcommand"],
    [["create"], "--owner names whose key it is"],
    [["create", "--owner", "A", "--limit", "lots"], "--limit is"],
    [["create", "--owner", "A", "--expires", "2020-01-01"], "is past"],
    [["create", "--owner", "A", "--expires", "soon"], "--expires is a day"],
    [["create", "--owner", "A", "--email", "nobody"], "is not an address"],
    [["create", "--owner", "A", "--admin"], "--admin"],
    [["revoke"], "takes one prefix"],
  ])("answers a wrong command of keys with 2 and the usage, and opens nothing: %j", async (args, problem) => {
    let stderr = "";
    const err = { write: (text: string) => (stderr += text) };
    const open = vi.fn();
    expect(await keysCommand(args, { open, out: err, err, now: Date.now() / 1000 })).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).toContain("Usage:");
    expect(open).not.toHaveBeenCalled();
  });

  it("revokes a key and says since when, and says that there is none", async () => {
    let text = "";
    const out = { write: (more: string) => (text += more) };
    const revoke = async (prefix: string) =>
      prefix === "abcd1234" ? { prefix, owner: "Ann", revokedAt: new Date(0) } : undefined;
    const open = async () => ({ revoke }) as unknown as KeyStore;
    const deps = { open, out, err: out, now: 0 };
    expect(await keysCommand(["revoke", "abcd1234"], deps)).toBe(0);
    expect(await keysCommand(["revoke", "nobody00"], deps)).toBe(1);
    expect(text).toMatch(/^Key abcd1234 of Ann is revoked since 1970-01-01T.*\nThere is no key nobody00\./);
  });

  it("answers a wrong command with 2 and the usage", async () => {
    const { status, stderr } = await metocean(["sail"], {});
    expect(status).toBe(2);
    expect(stderr).toMatch(/^There is no command "sail"\.\n\nUsage:/);
  });

  it("answers a wrong environment with 78 and every name", async () => {
    const { status, stderr } = await metocean(["keys", "list"], { PORT: "x", LOG_LEVEL: "loud" });
    expect(status).toBe(78);
    expect(stderr).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  });

  it("answers a database that does not answer with 1 and no stack", async () => {
    const unreachable = await metocean(["keys", "list"], {
      DATABASE_URL: "postgresql://u:secret@127.0.0.1:1/x",
    });
    expect(unreachable).toMatchObject({ status: 1, stderr: expect.stringContaining("does not answer") });
    expect(unreachable.stderr).not.toMatch(/secret|\n\s+at /);
  });

  it("answers a file of the pepper that lost its content with 78 and its path, and leaves it", async () => {
    const { dataDir } = await fresh();
    const file = path.join(dataDir, "key-pepper");
    writeFileSync(file, "");
    const { status, stderr } = await metocean(["keys", "list"], { DATA_DIR: dataDir });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^\S+\/key-pepper is damaged.*\n$/);
    expect(readFileSync(file, "utf8")).toBe("");
  });

  it("describes what is stored and what is free: the tables of the database, tasks, archive", async () => {
    const { dataDir } = await fresh();
    mkdirSync(path.join(dataDir, "tasks"));
    writeFileSync(path.join(dataDir, "tasks", "a.result"), Buffer.alloc(3 * 2 ** 20));
    let stdout = "";
    const out = { write: (text: string) => (stdout += text) };
    expect(await doctorCommand(readEnv({ DATA_DIR: dataDir, PATH: process.env.PATH }), out)).toBe(0);
    expect(stdout).toMatch(/^Database +embedded PostgreSQL \d+\.\d+, 0 keys\n +\d+\.\d MiB in all\n/m);
    for (const table of ["task", "storm_text", "storm_history"])
      expect(stdout).toMatch(new RegExp(`^ +\\d+\\.\\d MiB ${table}, about 0 rows, never vacuumed$`, "m"));
    expect(stdout).toMatch(/^Tasks +1 file, 3\.0 MiB$/m);
    expect(stdout).toMatch(/^Free space +\d+\.\d MiB$/m);
  });
});
