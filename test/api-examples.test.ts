import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pointedId } from "#components/docs/known-ids.ts";
import { exampleForm, type RequestForm, requestOf } from "#components/docs/request-form.ts";
import { type SnippetLanguage, snippetOf } from "#components/docs/snippets.ts";
import { KEY, type RunningServer, startServer } from "#e2e/server.ts";
import {
  type DescribedOperation,
  type DescribedParameter,
  describeApi,
} from "#lib/contract/described-api.ts";
import { parseInstant } from "#lib/time.ts";
import { apiDocument } from "#server/operations/list.ts";
import { whereBuilt } from "./built-pages.ts";

// What the pages of operations show is run as it stands, against the demo world of the real server.
const NAME = "the programs on the API page";
const NOW = "2026-09-15T12:00:00Z";

const { operations } = describeApi(apiDocument("", parseInstant(NOW)));

/** What makes something first, what reads it, what changes it, what ends it. */
const orderOf = ({ method, path: pattern }: DescribedOperation) =>
  ({ GET: 1, DELETE: 3 })[method] ?? (pattern.includes("{") ? 2 : 0);

const inOrder = operations.toSorted((one, other) => orderOf(one) - orderOf(other));

/** Where another reply than a success is what the demo should say. */
const refused: Readonly<Record<string, string>> = {
  // Only addresses of mail are confirmed, and the demo sends none.
  postChannelConfirmation: "409",
};

/** A small task may have succeeded before it is cancelled. */
const eitherWay = ["postCancelTask"];

const programs: Record<SnippetLanguage, readonly [program: string, ...args: string[]]> = {
  curl: ["bash", "-c"],
  typescript: [process.execPath, "--no-warnings", "--input-type=module-typescript", "-e"],
  python: ["python3", "-c"],
};
const needs: Record<SnippetLanguage, string> = { curl: "curl", typescript: "node", python: "python3" };

const run = promisify(execFile);

whereBuilt(NAME, () => describe(NAME, runPrograms));

function runPrograms(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-examples-"));
  let server: RunningServer;
  beforeAll(async () => {
    const settings = { ALERT_NETWORKS: "127.0.0.1/32", PUBLIC_URL: "https://weather.example.org" };
    server = await startServer(path.join(folder, "data"), NOW, "", settings);
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const languages = Object.keys(programs) as SnippetLanguage[];
  describe.each(languages)("%s", (language) => {
    const isHere = spawnSync(needs[language], ["--version"]).status === 0;
    if (!isHere && process.env.CI) throw new Error(`${needs[language]} is needed: .ci/run installs it`);

    it
      .skipIf(!isHere)
      .each(inOrder.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
      "%s",
      async (_name, operation) => {
        const { failed, output } = await runProgram(language, operation, await filled(operation));
        if (eitherWay.includes(operation.operationId)) return;
        const status = refused[operation.operationId];
        expect(failed, output).toBe(status !== undefined);
        if (status) expect(output).toMatch(language === "curl" ? /"detail"/ : status);
        else if (language === "curl" && requestOf(operation, exampleForm(operation)).answer === "json")
          JSON.parse(output);
      },
      60_000,
    );

    it.skipIf(!isHere).each(["text/csv", "application/x-netcdf"])("POST /MetOcean as %s", async (accept) => {
      const operation = operations.find(({ operationId }) => operationId === "postMetOcean")!;
      const { failed, output } = await runProgram(language, operation, { ...exampleForm(operation), accept });
      expect(failed, output).toBe(false);
      if (accept === "text/csv") expect(output).toContain("Winds_10m_Intensity");
    });
  });

  async function runProgram(language: SnippetLanguage, operation: DescribedOperation, form: RequestForm) {
    const text = snippetOf(language, requestOf(operation, form), server.url);
    const [program, ...args] = programs[language];
    const env = { ...process.env, METOCEAN_KEY: KEY };
    return run(program, [...args, text], { cwd: folder, env, timeout: 50_000, maxBuffer: 64 * 2 ** 20 }).then(
      ({ stdout }) => ({ failed: false, output: stdout }),
      (error: { stdout: string; stderr: string }) => ({ failed: true, output: error.stdout + error.stderr }),
    );
  }

  /** The form as the page has it at first, with the ids that it finds; alerts go where nobody listens. */
  async function filled(operation: DescribedOperation): Promise<RequestForm> {
    const form = exampleForm(operation);
    const ids: Record<string, string> = {};
    for (const parameter of operation.parameters)
      if (parameter.source.length > 0) ids[parameter.name] = await idOf(parameter);
    const body = form.body.replace("https://example.com/alerts", "http://127.0.0.1:9/alerts");
    return { ...form, body, parameters: { ...form.parameters, ...ids } };
  }

  async function idOf({ name, source: [from] }: DescribedParameter): Promise<string> {
    const { method, path: target, query, pointer } = from!;
    const headers = { "x-api-key": KEY };
    const reply = await fetch(`${server.url}${target}?${query}`, { method, headers });
    const id = pointedId(await reply.json(), pointer);
    expect(id, `${name} from ${method} ${target}`).toBeDefined();
    return id!;
  }
}
