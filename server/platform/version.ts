import { readFileSync } from "node:fs";
import path from "node:path";

/** Version of the service, from package.json. */
export const serviceVersion: string = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, "../../package.json"), "utf8")) as {
    version: string;
  }
).version;
