import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Says at the very end what failed and why, in a line or two each: what keeps only the end of a log has it then. */
export default class LastWords implements Reporter {
  readonly #failed: string[] = [];
  #root = "";

  onBegin({ rootDir }: FullConfig): void {
    this.#root = rootDir;
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === test.expectedStatus || status === "skipped") return;
    for (const { message = "", location } of errors) {
      const where = location ? `${location.file.replace(`${this.#root}/`, "")}:${location.line}` : test.title;
      this.#failed.push(`${where} ${stripVTControlCharacters(message).replace(/\s+/g, " ").slice(0, 300)}`);
    }
  }

  onEnd(): void {
    for (const line of this.#failed) console.log(line);
  }
}
