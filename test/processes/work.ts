// A thread whose jobs say how they go. Run by work-thread.test.ts.

import { ProcessingError } from "#server/platform/errors.ts";
import { serveWork } from "#server/tasks/serve-work.ts";

serveWork(async (job: { goes: string }, signal, progress) => {
  progress(0.5);
  switch (job.goes) {
    case "well":
      return { made: job };
    case "wrong":
      throw new ProcessingError("for its owner");
    case "unexpectedly":
      throw new TypeError("for the log");
    case "down":
      return process.exit(3);
    case "out of memory":
      return Array.from({ length: 1e4 }, (_, index) => Array.from({ length: 1e5 }, () => ({ index })));
    default:
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      throw signal.reason;
  }
});
