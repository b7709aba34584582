import type { StormEntry } from "@open-metocean/storms/schema";
import { expect, it } from "vitest";
import { watchRequest } from "#lib/contract/watch.ts";
import { galeWatch } from "#test/watches.ts";
import { editionOf, newestOf, newIn, sourcesOf } from "./edition.ts";

const fields = { wind_speed_of_gust: {} };
const question = watchRequest.parse(galeWatch).question;

it("a source's newest cycle counts, with all its parts, where it has what is asked for", () => {
  const sources = sourcesOf([
    { id: "b", source: "gfs", referenceTime: 6, fields },
    { id: "a", source: "gfs", referenceTime: 6, fields },
    { id: "old", source: "gfs", referenceTime: 0, fields },
    { id: "c", source: "smoc", referenceTime: 9, fields: {} },
  ]);
  expect([...sources.keys()]).toEqual(["gfs", "smoc"]);
  expect(sources.get("gfs")).toMatchObject({ at: 6, ids: ["a", "b"] });
  const edition = editionOf(question, { sources, ensembles: new Map(), storms: new Map() });
  expect(Object.keys(edition)).toEqual(sources.get("gfs")!.variables.has("gust") ? ["run gfs"] : []);
});

it("later is new, more of the same is new, earlier is not", () => {
  const before = { "run gfs": { at: 6, of: "a" } };
  expect(newIn({ "run gfs": { at: 12, of: "b" } }, before)).toEqual(["run gfs"]);
  expect(newIn({ "run gfs": { at: 6, of: "a,b" } }, before)).toEqual(["run gfs"]);
  expect(newIn({ "run gfs": { at: 6, of: "a" } }, before)).toEqual([]);
  expect(newIn({ "run gfs": { at: 0, of: "z" } }, before)).toEqual([]);
  expect(newIn({}, before)).toEqual([]);
  expect(newIn({ ...before, "run ecmwf": { at: 0, of: "e" } }, before)).toEqual(["run ecmwf"]);
});

it("what is older than before does not replace it, and storms that are gone are", () => {
  const before = { "run gfs": { at: 6, of: "a" }, "storm jtwc WP262026": { at: 6, of: "" } };
  expect(newIn({ "run gfs": { at: 6, of: "a" } }, before)).toEqual(["storm jtwc WP262026"]);
  expect(newestOf({ "run gfs": { at: 0, of: "z" } }, before)).toEqual({ "run gfs": { at: 6, of: "a" } });
});

it("storms count only where they are asked for, each by its newest bulletin", () => {
  const entry = { id: "WP262026", is_active: true, tracks: { observed: [], forecast: { issued_at: 7 } } };
  const world = {
    sources: new Map(),
    ensembles: new Map(),
    storms: new Map([["jtwc", [entry as unknown as StormEntry]]]),
  };
  expect(editionOf(question, world)).toEqual({});
  const conditions = [{ quantity: "storm_nm", under: 200 }];
  const asked = watchRequest.parse({
    ...galeWatch,
    question: { ...galeWatch.question, conditions },
  }).question;
  expect(editionOf(asked, world)).toEqual({ "storm jtwc WP262026": { at: 7, of: "" } });
});
