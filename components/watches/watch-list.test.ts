import { expect, it } from "vitest";
import { watchRequest } from "#lib/contract/watch.ts";
import { en } from "#test/all-words.ts";
import { ageText, questionText } from "./watch-list.tsx";

it.each([
  ["08:48", "12 min ago"],
  ["09:05", "just now"],
])("the age of an alert of %s at 09:00 is %s: a slow clock puts none in the future", (at, age) => {
  expect(ageText(`2026-09-14T${at}:00Z`, Date.parse("2026-09-14T09:00:00Z"), en)).toBe(age);
});

it("the list states how many of which number of models a watch needs", () => {
  const question = {
    kind: "place",
    latitude: 48,
    longitude: -5,
    conditions: [{ quantity: "gust_kt", over: 30 }],
  };
  const text = (more: object) =>
    questionText(watchRequest.parse({ name: "a", question: { ...question, ...more } }), en);
  expect(text({})).toBe("Gusts over 30 kn · 48 h");
  expect(text({ models: ["gfs", "ecmwf", "aifs"], agree: "most" })).toBe(
    "Gusts over 30 kn · 48 h · Most of 3 models",
  );
  expect(text({ models: ["gfs", "ecmwf"] })).toBe("Gusts over 30 kn · 48 h · Any of 2 models");
});
