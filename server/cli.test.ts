import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { migratedDataDirs } from "#test/databases.ts";
import { metocean } from "#test/processes.ts";

const fresh = migratedDataDirs();

describe("the command line", () => {
  it.each([
    [[], "Which command?"],
    [["sail"], 'There is no command "sail"'],
    [["keys"], "keys needs a subcommand"],
    [["keys", "create"], "--owner names whose key it is"],
    [["keys", "create", "--owner", "A", "--limit", "lots"], "--limit is"],
    [["keys", "create", "--owner", "A", "--expires", "2020-01-01"], "is past"],
    [["keys", "create", "--owner", "A", "--expires", "soon"], "--expires is a day"],
    [["keys", "create", "--owner", "A", "--email", "nobody"], "is no address"],
    [["keys", "create", "--owner", "A", "--admin"], "--admin"],
    [["keys", "revoke"], "takes one prefix"],
  ])("answers a wrong command with 2 and the usage: %j", async (args, problem) => {
    const { status, stderr } = await metocean(args, {});
    expect(status).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).toContain("Usage:");
  });

  it("answers a wrong environment with 78 and every name", async () => {
    const { status, stderr } = await metocean(["keys", "list"], { PORT: "x", LOG_LEVEL: "loud" });
    expect(status).toBe(78);
    expect(stderr).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  });

  it("answers a key that does not exist, or a database that does not answer, with 1 and no stack", async () => {
    const { dataDir } = await fresh();
    const missing = await metocean(["keys", "revoke", "nobody00"], { DATA_DIR: dataDir });
    expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no key nobody00") });
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

  it("answers a data directory that is not a folder with 1, its path and no stack", async () => {
    const file = import.meta.filename;
    const { status, stderr } = await metocean(["keys", "list"], { DATA_DIR: file });
    expect(status).toBe(1);
    expect(stderr).toContain(`file already exists, mkdir '${file}'`);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("describes what is stored and what is free: the tables of the database, tasks, archive", async () => {
    const { dataDir } = await fresh();
    mkdirSync(path.join(dataDir, "tasks"));
    writeFileSync(path.join(dataDir, "tasks", "a.result"), Buffer.alloc(3 * 2 ** 20));
    const { status, stdout } = await metocean(["doctor"], { DATA_DIR: dataDir });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Database +embedded PostgreSQL \d+\.\d+, 0 keys\n +\d+\.\d MiB in all\n/m);
    for (const table of ["task", "storm_text", "storm_history"])
      expect(stdout).toMatch(new RegExp(`^ +\\d+\\.\\d MiB ${table}, about 0 rows, never vacuumed$`, "m"));
    expect(stdout).toMatch(/^Tasks +1 file, 3\.0 MiB$/m);
    expect(stdout).toMatch(/^Free space +\d+\.\d MiB$/m);
  });
});
