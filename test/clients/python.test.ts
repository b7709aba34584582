import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { startDemoService } from "#test/demo-service.ts";

const NAME = "the Python client";
const folder = path.resolve(import.meta.dirname, "../../clients/python");

/** Debian's Python first: it has the packages that others may lack. */
const python = ["/usr/bin/python3", "python3"].find((name) => {
  const { status } = spawnSync(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
  return status === 0;
});

if (python === undefined) {
  if (process.env.CI) it(NAME, () => expect(python, "there is no Python 3.9").toBeDefined());
  else it.skip(`${NAME} (skipped: there is no Python 3.9)`, () => {});
} else {
  it(`${NAME} is patient, typed in its errors, and never sends twice what is made once`, () =>
    expectPassed(["tests.test_faults"], {}));
  whereBuilt(NAME, () =>
    describe(NAME, () => {
      it("has the numbers of a running service, with tasks, and a README that runs", async () => {
        const service = await startDemoService();
        try {
          await expectPassed(["tests.test_service"], {
            METOCEAN_URL: service.url,
            METOCEAN_KEY: service.key,
          });
        } finally {
          await service.stop();
        }
      }, 240_000);
    }),
  );
}

/** Runs test modules in the folder of the client. */
async function expectPassed(modules: string[], env: Record<string, string>): Promise<void> {
  // -B: no compiled files in the source tree. Warnings are errors, but those of other packages.
  const child = spawn(python!, ["-B", "-W", "error:::open_metocean", "-m", "unittest", "-v", ...modules], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "test", ...env },
  });
  const [output, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(status, output).toBe(0);
  expect(output).toMatch(/Ran [1-9]\d* tests/);
}
