import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite } from "@playwright/test/reporter";

/**
 * Prints one line for each error, for each test that passed only on retry, and for each skipped test. The lines come at
 * the very end, where a truncated log still has them.
 */
export default class FailureReporter implements Reporter {
  #suite: Suite | undefined;
  #root = "";

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.#root = rootDir;
    this.#suite = suite;
  }

  onEnd(): void {
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === "expected") continue;
      const isFlaky = outcome === "flaky";
      const verdict = isFlaky ? "PASSED ONLY ON RETRY" : outcome === "skipped" ? "SKIPPED" : "FAILED";
      const name = `${verdict} ${this.#place(test.location)} "${test.title}"`;
      const errors = test.results.flatMap((result) => result.errors);
      const lines = errors.map(({ message = "", location = test.location }) => {
        const text = stripVTControlCharacters(message).replace(/\s+/g, " ").slice(0, 300);
        return `${name}: ${this.#place(location)} ${text}`;
      });
      const distinct = lines.length > 0 ? [...new Set(lines)] : [name];
      for (const line of isFlaky ? distinct.slice(0, 1) : distinct) console.log(line);
    }
  }

  #place({ file, line }: { file: string; line: number }): string {
    return `${file.replace(`${this.#root}/`, "")}:${line}`;
  }
}
