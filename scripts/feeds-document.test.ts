import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { feedsDocument } from "./feeds-document.ts";

it("docs/feeds.md is what `node scripts/feeds-document.ts` writes from the folders of the publishers", () => {
  const written = readFileSync(path.join(import.meta.dirname, "../docs/feeds.md"), "utf8");
  expect(written).toBe(feedsDocument());
});
