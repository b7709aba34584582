import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";

/** Prints one line per error, and per test that passed only on retry, at the very end, where a truncated log keeps it. */
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
      if (outcome === "unexpected") for (const line of this.#errorsOf(test)) console.log(`FAILED ${line}`);
      if (outcome === "flaky") {
        const [first] = this.#errorsOf(test);
        console.log(`PASSED ONLY ON RETRY ${this.#place(test.location)} "${test.title}": ${first}`);
      }
    }
  }

  #errorsOf(test: TestCase): string[] {
    const errors = test.results.flatMap((result) => result.errors);
    const lines = errors.map(({ message = "", location = test.location }) => {
      const text = stripVTControlCharacters(message).replace(/\s+/g, " ").slice(0, 300);
      return `${this.#place(location)} ${text}`;
    });
    return lines.length > 0 ? [...new Set(lines)] : [`${this.#place(test.location)} ${test.title}`];
  }

  #place({ file, line }: { file: string; line: number }): string {
    return `${file.replace(`${this.#root}/`, "")}:${line}`;
  }
}
