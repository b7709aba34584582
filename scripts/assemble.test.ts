import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { assembled, kernelModules } from "./assemble.ts";

it.each(kernelModules)(
  "the committed module is assembled from $source (otherwise run: node scripts/build-kernels.ts)",
  async ({ source, data }) => {
    const committed = await readFile(new URL(`../${data}`, import.meta.url), "utf8");
    expect(committed).toContain(`"${Buffer.from(await assembled(source)).toString("base64")}"`);
  },
);
