import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import {
  exampleForm,
  pointedId,
  type RequestForm,
  requestOf,
  type SnippetLanguage,
  snippetOf,
} from "#components/docs/request-form.ts";
import { KEY } from "#e2e/server.ts";
import {
  type DescribedOperation,
  type DescribedParameter,
  describeApi,
} from "#lib/contract/described-api.ts";
import { apiDocument } from "#server/operations/operations.ts";

/** Order in which operations run: those that create something, read it, change it, delete it. */
const orderOf = ({ method, path: pattern }: DescribedOperation) =>
  ({ GET: 1, DELETE: 3 })[method] ?? (pattern.includes("{") ? 2 : 0);

/** The language in which every operation is tested. The others are tested once for each kind of request. */
const COMPLETE: SnippetLanguage = "typescript";

/** Operations that create what those with an id read, change and delete. */
const creating = ["postMetOceanAsync", "postWatches", "postChannel", "postCalendar"];

/** Operations that create something, and one of each kind of request: what the program sends, and how it reads the answer. */
function onePerKind(operations: readonly DescribedOperation[]): DescribedOperation[] {
  const kinds = operations.map((operation) => {
    const { method, body, needsKey, answer } = requestOf(operation, exampleForm(operation));
    const kind = [method, body !== undefined, needsKey, answer].join();
    return [creating.includes(operation.operationId) ? operation.operationId : kind, operation] as const;
  });
  return [...new Map(kinds).values()];
}

/** Statuses of operations that the demo answers with an error. */
const refused: Readonly<Record<string, string>> = {
  // Only email addresses are confirmed, and the demo sends no email.
  postChannelConfirmation: "409",
};

/** Operations with two possible results: a small task may have succeeded before it is cancelled. */
const eitherWay = ["postCancelTask"];

/** Runs the files of its arguments one after another. Files beside each contain its output and its exit status. */
const runners: Record<SnippetLanguage, readonly [program: string, ...args: string[]]> = {
  curl: [
    "bash",
    "-c",
    'for file in "$@"; do bash "$file" > "$file.out" 2> "$file.err"; echo $? > "$file.status"; done',
    "bash",
  ],
  typescript: [
    process.execPath,
    "--no-warnings",
    "--input-type=module",
    "--eval",
    `import { writeFileSync } from "node:fs";
import { format } from "node:util";
for (const file of process.argv.slice(1)) {
  let [out, status] = ["", 0];
  console.log = (...given) => void (out += format(...given) + "\\n");
  process.stdout.write = (text) => ((out += text), true);
  await import("file://" + file).catch((error) => {
    status = 1;
    out += String(error.stack);
  });
  writeFileSync(file + ".out", out);
  writeFileSync(file + ".status", String(process.exitCode || status));
  process.exitCode = 0;
}`,
  ],
  python: [
    "python3",
    "-c",
    `import contextlib, io, sys, traceback
for path in sys.argv[1:]:
    out, status = io.StringIO(), 0
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__"})
        except BaseException:
            status = 1
            out.write(traceback.format_exc())
    open(path + ".out", "w").write(out.getvalue())
    open(path + ".status", "w").write(str(status))`,
  ],
};
const needs: Record<SnippetLanguage, string> = { curl: "curl", typescript: "node", python: "python3" };
const endings: Record<SnippetLanguage, string> = { curl: "sh", typescript: "mts", python: "py" };

const run = promisify(execFile);

/**
 * Describes tests that run what the pages of operations show, as it stands.
 *
 * @param now Weather clock of the service, Unix seconds.
 * @param origin Returns the origin of the service, which has the demo world and allows alerts to this machine.
 */
export function runExamples(now: number, origin: () => string): void {
  const { operations } = describeApi(apiDocument("", now));
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-examples-"));
  let programs = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const languages = Object.keys(runners) as SnippetLanguage[];
  describe.each(languages)("%s", (language) => {
    const isHere = spawnSync(needs[language], ["--version"]).status === 0;
    if (!isHere && process.env.CI) throw new Error(`${needs[language]} is needed: .ci/run installs it`);

    it.skipIf(!isHere)(
      language === COMPLETE ? "each of each operation" : "one of each kind of request",
      async () => {
        const shown = language === COMPLETE ? operations : onePerKind(operations);
        // Operations that read, change or delete something run after those that create it; other formats follow.
        for (const order of [0, 1, 2, 3]) {
          const asked: [DescribedOperation, RequestForm][] = [];
          for (const operation of shown.filter((one) => orderOf(one) === order))
            asked.push([operation, await filled(operation)]);
          for (const [index, { failed, output }] of (await runPrograms(language, asked)).entries())
            expectOutcome(language, asked[index]!, failed, output);
        }
        const points = operations.find(({ operationId }) => operationId === "postMetOcean")!;
        const formats = ["text/csv", "application/x-netcdf"].map((accept) => ({
          ...exampleForm(points),
          accept,
        }));
        const asked = formats.map((form) => [points, form] as [DescribedOperation, RequestForm]);
        const [csv, netcdf] = await runPrograms(language, asked);
        expect([csv!.failed, netcdf!.failed]).toEqual([false, false]);
        expect(csv!.output).toContain("Winds_10m_Intensity");
      },
      120_000,
    );
  });

  /** Runs programs one after another in one process. */
  async function runPrograms(language: SnippetLanguage, asked: readonly [DescribedOperation, RequestForm][]) {
    const files = asked.map(([operation, form]) => {
      const file = path.join(folder, `${operation.operationId}-${programs++}.${endings[language]}`);
      writeFileSync(file, snippetOf(language, requestOf(operation, form), origin()));
      return file;
    });
    const [program, ...args] = runners[language];
    await run(program, [...args, ...files], {
      cwd: folder,
      env: { ...process.env, METOCEAN_KEY: KEY },
      timeout: 100_000,
    });
    const read = (file: string) => (existsSync(file) ? readFileSync(file, "latin1") : "");
    return files.map((file) => {
      const failed = read(`${file}.status`).trim() !== "0";
      return { failed, output: read(`${file}.out`) + (failed ? read(`${file}.err`) : "") };
    });
  }

  /** The initial form of the page, with the ids that it finds. Alerts go to an address where nobody listens. */
  async function filled(operation: DescribedOperation): Promise<RequestForm> {
    const form = exampleForm(operation);
    const ids: Record<string, string> = {};
    for (const parameter of operation.parameters)
      if (parameter.source.length > 0) ids[parameter.name] = await idOf(parameter);
    const body = form.body.replace("https://example.com/alerts", "http://127.0.0.1:9/alerts");
    return { ...form, body, parameters: { ...form.parameters, ...ids } };
  }

  async function idOf({ name, source: [from] }: DescribedParameter): Promise<string> {
    const { method, target, pointer } = from!;
    const headers = { "x-api-key": KEY };
    const reply = await fetch(`${origin()}${target}`, { method, headers });
    const id = pointedId(await reply.json(), pointer);
    expect(id, `${name} from ${method} ${target}`).toBeDefined();
    return id!;
  }
}

function expectOutcome(
  language: SnippetLanguage,
  [operation, form]: [DescribedOperation, RequestForm],
  failed: boolean,
  output: string,
): void {
  if (eitherWay.includes(operation.operationId)) return;
  const status = refused[operation.operationId];
  expect(failed, `${operation.method} ${operation.path}: ${output}`).toBe(status !== undefined);
  if (status) expect(output).toMatch(language === "curl" ? /"detail"/ : status);
  else if (language === "curl" && requestOf(operation, form).answer === "json") JSON.parse(output);
}
