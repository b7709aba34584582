import { expect, it } from "vitest";
import { pageStorage } from "./page-storage.ts";

const throwing = (error: Error) =>
  pageStorage(() => {
    throw error;
  });

it("is empty and takes nothing where the browser blocks the data of sites", () => {
  const storage = throwing(new DOMException("The operation is insecure.", "SecurityError"));
  expect(storage.getItem("theme")).toBeNull();
  expect(storage.setItem("theme", "night")).toBe(false);
  expect(() => storage.removeItem("theme")).not.toThrow();
  expect(storage.names()).toEqual([]);
});

it("hides no error of a program", () => {
  expect(() => throwing(new TypeError("not a storage")).getItem("theme")).toThrow(TypeError);
});
