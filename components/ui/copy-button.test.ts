import { afterEach, expect, it, vi } from "vitest";
import { copyText } from "./copy-button.tsx";

afterEach(() => vi.unstubAllGlobals());

it("says that a text was not copied without a clipboard, and where the browser refuses it", async () => {
  vi.stubGlobal("navigator", {});
  expect(await copyText("id")).toBe(false);
  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("not allowed")) } });
  expect(await copyText("id")).toBe(false);
  const copied: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => copied.push(text) } });
  expect(await copyText("id")).toBe(true);
  expect(copied).toEqual(["id"]);
});
