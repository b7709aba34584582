import { expect, it } from "vitest";
import { fieldsOf } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { fieldFeeds } from "#server/ingest/sources/all.ts";
import { fieldsOfProfile } from "./field-feed.ts";
import { keepOf } from "./past-rules.ts";
import { describePlan, planFeed, selectFeeds } from "./plan-feeds.ts";

const storms = ["jtwc", "nhc", "jma"];
const lite = ["gfs", "gfswave", "ecmwf", "cmemswave", "smoc", "hycom"];
const all = fieldFeeds.map(({ name }) => name);
const select = (setting: string) => {
  const selection = selectFeeds(setting, fieldFeeds, storms);
  return { ...selection, fields: selection.fields.map(({ name }) => name) };
};

it.each([
  ["none", "standard", [], []],
  ["lite", "lite", lite, storms],
  ["standard", "standard", all, storms],
  ["gfs,jtwc", "standard", ["gfs"], ["jtwc"]],
  ["lite, gfs", "lite", ["gfs"], storms],
  ["lite,jtwc", "lite", lite, ["jtwc"]],
  ["lite,gfs,jma", "lite", ["gfs"], ["jma"]],
  ["all", "standard", all, storms],
  ["full,all", "full", all, storms],
])("FEEDS=%s is profile %s with its feeds", (setting, profile, fields, ofStorms) => {
  expect(select(setting)).toEqual({ profile, fields, storms: ofStorms });
});

it.each([
  ["gfz", /FEEDS=gfz: there is no feed "gfz"; there are gfs, /],
  ["none,gfs", /none stands alone/],
  ["lite,full", /one profile at a time/],
])("says what is wrong with FEEDS=%s", (setting, message) => {
  expect(() => select(setting)).toThrow(message);
});

it.each(["lite", "standard", "full"] as const)(
  "no variable of %s that changes from hour to hour ends with one feed",
  (profile) => {
    const of = (name: VariableName) =>
      selectFeeds(profile, fieldFeeds, storms).fields.filter((feed) => {
        const has = fieldsOfProfile(feed, profile);
        return (variable(name).outputs[0]?.of ?? fieldsOf(name)).every((field) => has.includes(field));
      });
    const single = variableNames.filter((name) => of(name).length === 1);
    expect(single).toEqual(profile === "lite" ? [] : ["bathy", "sst"]);
    for (const name of ["wind", "gust", "pressure", "wave", "current"] as const)
      expect(new Set(of(name).map(({ credit }) => credit)).size).toBeGreaterThanOrEqual(2);
  },
);

it("a lite cycle of weather and waves is about 0.3 GB, and the plan says a day and all before anything is fetched", () => {
  const keep = keepOf("lite", {});
  const plans = fieldFeeds
    .filter(({ name }) => ["gfs", "gfswave"].includes(name))
    .map((feed) => planFeed(feed, "lite", keep));
  const cycle = plans.reduce((sum, { bytesACycle }) => sum + bytesACycle, 0);
  expect(cycle).toBeGreaterThan(0.15e9);
  expect(cycle).toBeLessThan(0.45e9);
  for (const { bytesADay, bytesACycle, bytesInAll } of plans) {
    expect(bytesADay).toBe(4 * bytesACycle);
    expect(bytesInAll).toBeGreaterThan(2 * bytesACycle);
    expect(bytesInAll).toBeLessThan(60e9);
  }
  expect(describePlan(plans, "lite")).toMatch(/^gfs .* 1 min$/m);
  expect(describePlan(plans, "lite")).toMatch(/^together +[\d.]+ [MG]B +[\d.]+ GB$/m);
});
