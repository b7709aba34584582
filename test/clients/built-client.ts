import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

export const clientFolder = path.join(import.meta.dirname, "../../clients/typescript");

const tsc = path.join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");

/** Builds the client as it is published, and installs it in a folder, with nothing beside it. */
export async function installClient(folder: string): Promise<void> {
  const installed = path.join(folder, "node_modules/@open-metocean/client");
  mkdirSync(installed, { recursive: true });
  const args = [tsc, "--project", clientFolder, "--outDir", path.join(installed, "dist")];
  await promisify(execFile)(process.execPath, args);
  cpSync(path.join(clientFolder, "package.json"), path.join(installed, "package.json"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
}

/** Checks the types of a program that uses the installed client, declarations of packages included. @returns What is wrong */
export function typeErrors(folder: string, files: readonly string[]): string {
  const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
  const args = [tsc, ...options, "--module", "nodenext", ...files];
  try {
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}
