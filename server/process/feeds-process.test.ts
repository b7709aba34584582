import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startFeedsProcess } from "./feeds-process.ts";

function program(code: string) {
  const folder = mkdtempSync(join(tmpdir(), "feeds-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const starts = join(folder, "starts");
  writeFileSync(starts, "");
  const file = join(folder, "program.mjs");
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(starts)}, "x");${code}`,
  );
  return { file, starts: () => readFileSync(starts, "utf8").length };
}

const logger = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() });

it("starts the process again when it dies, and ends it when the server closes", async () => {
  const { file, starts } = program("process.stdin.resume(); setTimeout(() => process.exit(3), 50);");
  const log = logger();
  const feeds = startFeedsProcess(log, [file]);
  await vi.waitFor(() => expect(starts()).toBe(2), { timeout: 15_000 });
  await feeds.close();
  expect(log.warn).toHaveBeenCalledWith(
    expect.objectContaining({ code: 3 }),
    expect.stringContaining("started again"),
  );
  expect(starts()).toBe(2);
});

it("does not restart a process that ended because of its configuration", async () => {
  const { file, starts } = program("process.exit(78);");
  const log = logger();
  const feeds = startFeedsProcess(log, [file]);
  await vi.waitFor(() => expect(log.error).toHaveBeenCalled(), { timeout: 15_000 });
  await feeds.close();
  expect(starts()).toBe(1);
});

it("ends a process by closing its standard input when its server is gone", async () => {
  const { file, starts } = program(
    "process.stdin.resume().once('close', () => process.exit(0)); process.on('SIGTERM', () => {});",
  );
  const feeds = startFeedsProcess(logger(), [file]);
  await vi.waitFor(() => expect(starts()).toBe(1), { timeout: 15_000 });
  await feeds.close();
});
