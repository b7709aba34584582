import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import type { WantedMessage } from "./field-feed.ts";
import { findMessages } from "./find-messages.ts";
import { UnsuitableDataError } from "./part-store.ts";

const cycle = Date.UTC(2025, 7, 1) / 1000;

/** Index lines of one message each, 100 bytes apart, one for each window. */
const index = (element: string, ...windows: string[]) =>
  windows.map((window, at) => `${at + 1}:${at * 100}:d=2025080100:${element}:surface:${window}\n`).join("");

const find = (text: string, lead: number, ...wanted: Partial<WantedMessage>[]) =>
  findMessages(
    text,
    "wgrib2",
    wanted.map((message) => ({ element: "APCP", level: "surface", time: "instant", ...message })),
    { cycle, lead },
  ).messages.map(({ offset }) => offset);

describe("a wgrib2 index", () => {
  it("distinguishes an instant, an average and an accumulation of one element", () => {
    const text = index("PRATE", "7 hour fcst:", "6-7 hour ave fcst:", "6-7 hour acc fcst:", "8 hour fcst:");
    expect(find(text, 7, { element: "PRATE" })).toEqual([0]);
    expect(find(text, 7, { element: "PRATE", time: "average" })).toEqual([100]);
    expect(find(text, 7, { element: "PRATE", time: "accumulation" })).toEqual([200]);
  });

  it("finds windows in hours and in whole days by their end, the shortest first", () => {
    const text = index("APCP", "0-1 day acc fcst:", "18-24 hour acc fcst:", "0-24 hour max fcst:");
    expect(find(text, 24, { time: "accumulation" })).toEqual([100]);
    expect(find(index("APCP", "0-1 day acc fcst:"), 24, { time: "accumulation" })).toEqual([0]);
    expect(() => find(text, 18, { time: "accumulation" })).toThrow(UnsuitableDataError);
  });

  it("finds an analysis at lead 0 only", () => {
    expect(find(index("APCP", "anl:"), 0, {})).toEqual([0]);
    expect(() => find(index("APCP", "anl:"), 1, {})).toThrow(
      "of 1 fields the index lacks APCP (surface, instant)",
    );
  });

  it("ignores members and statistics of an ensemble", () => {
    expect(find(index("APCP", "6 hour fcst:ENS=+1", "6 hour fcst:ens mean", "6 hour fcst:"), 6, {})).toEqual([
      200,
    ]);
  });

  it("tells the members, the control and the statistics of an ensemble apart", () => {
    const words = [
      "ENS=+1",
      "ENS=+10:",
      "ENS=low-res ctl",
      "ens mean",
      "ens spread:",
      "ENS=-1",
      "ens std dev",
      "",
    ];
    const text = index("APCP", ...words.map((word) => `6 hour fcst:${word}`));
    const of = (part: WantedMessage["part"]) => find(text, 6, { part });
    expect([1, 10, 0, "mean" as const, "spread" as const, undefined].map(of)).toEqual([
      [0],
      [100],
      [200],
      [300],
      [400],
      [700],
    ]);
    expect(() => of(2)).toThrow("APCP of the member 2 (surface, instant)");
  });

  it("takes the deterministic forecast for the control where there is no other", () => {
    expect(find(index("APCP", "6 hour fcst:ENS=+1", "6 hour fcst:"), 6, { part: 0 })).toEqual([100]);
  });

  it("finds wanted messages and substitutes for missing ones, and names what is lacking", () => {
    const text = `${index("APCP", "6 hour fcst:")}9:900:d=2025080100:CAPE:surface:6 hour fcst:\n`;
    const at = (element: string, instead?: string[][]): WantedMessage => ({
      element,
      level: "surface",
      time: "instant",
      ...(instead && { instead: instead.map((row) => row.map((name) => at(name))) }),
    });
    const wanted = [at("APCP"), at("GUST", [["GUST", "CAPE"]]), at("MUCAPE", [["TMP", "APCP"], ["CAPE"]])];
    const { messages, lacking } = findMessages(text, "wgrib2", wanted, { cycle, lead: 6 });
    expect(messages.map(({ offset }) => offset)).toEqual([0, 900]);
    expect(lacking).toEqual([wanted[1]]);
  });

  it("returns a message with several wanted fields once, with the number of its fields", () => {
    const text = [
      "1.1:0:d=2025080100:UGRD:surface:6 hour fcst:",
      "1.2:0:d=2025080100:VGRD:surface:6 hour fcst:",
      "2:900:d=2025080100:GUST:surface:6 hour fcst:",
    ].join("\n");
    const wanted = ["UGRD", "GUST", "VGRD"].map((element) => ({
      element,
      level: "surface",
      time: "instant" as const,
    }));
    expect(findMessages(text, "wgrib2", wanted, { cycle, lead: 6 }).messages).toEqual([
      { offset: 0, length: 900, fields: 2, wanted: [wanted[0], wanted[2]] },
      { offset: 900, length: undefined, fields: 1, wanted: [wanted[1]] },
    ]);
  });

  it("refuses the index of another cycle, and an empty one", () => {
    const text = index("APCP", "anl:").replace("2025080100", "2025073100");
    expect(() => find(text, 0, {})).toThrow("the index is of 2025073100, not of 202508010000");
    expect(() => find("", 0, {})).toThrow("empty");
  });

  it.each(["<html>503 Slow down</html>", "1:0:d=2025080100:UGRD", "2:x:d=2025080100:UGRD:surface:anl:"])(
    "refuses %s",
    (line) => {
      expect(() => find(`${index("APCP", "anl:")}${line}\n`, 0, {})).toThrow("Line 2 of the index");
    },
  );

  it.each([1, 2, 3, 4, 5, 10, 14, 20])(
    "is refused or has the same message when it lacks its last %i characters",
    (cut) => {
      const whole = index("APCP", "6 hour fcst:", "7 hour fcst:");
      const found = (text: string) => {
        try {
          return find(text, 7, {});
        } catch (error) {
          return (error as Error).name;
        }
      };
      expect(["UnsuitableDataError", ...(cut === 1 ? [[100]] : [])]).toContainEqual(
        found(whole.slice(0, -cut)),
      );
    },
  );
});

describe("an ECMWF index", () => {
  const line = (entry: object) =>
    `${JSON.stringify({ date: "20250801", time: "0000", type: "fc", levtype: "sfc", step: "6", _length: 50, ...entry })}\n`;
  const found = (text: string, message: Partial<WantedMessage>, lead = 6) =>
    findMessages(text, "ecmwf", [{ element: "10fg", level: "sfc", time: "maximum", ...message }], {
      cycle,
      lead,
    }).messages;

  it("finds a window by its end, however it is written, and by other names of the element", () => {
    expect(found(line({ param: "10fg", step: "3-6", _offset: 7 }), {})).toMatchObject([
      { offset: 7, length: 50 },
    ]);
    const text = line({ param: "10fg6", _offset: 9 }) + line({ param: "10fg3", _offset: 8 });
    expect(found(text, { alternatives: ["10fg3", "10fg6"] })).toMatchObject([{ offset: 8 }]);
    expect(() =>
      found(line({ param: "2t", step: "0-6", _offset: 7 }), { element: "2t", time: "instant" }),
    ).toThrow(UnsuitableDataError);
  });

  it.each(["{", "[]", "null", '{"_offset": -1, "_length": 5, "param": "2t", "levtype": "sfc"}'])(
    "refuses %s",
    (text) => {
      expect(() => found(text, {})).toThrow("Line 1 of the index");
    },
  );

  it("tells members apart by their number, and knows a control whose lines lack it", () => {
    const text = [
      line({ param: "10fg", _offset: 7, type: "pf", number: "1" }),
      line({ param: "10fg", _offset: 8, type: "pf", number: "50" }),
      line({ param: "10fg", _offset: 9, type: "cf" }),
      line({ param: "10fg", _offset: 10, type: "fc" }),
      line({ param: "10fg", _offset: 11, type: "em" }),
    ].join("");
    expect([1, 50, 0, undefined].map((part) => found(text, { part })[0]!.offset)).toEqual([7, 8, 9, 10]);
    expect(() => found(text, { part: 2 })).toThrow(UnsuitableDataError);
  });

  it("ignores members of an ensemble, other levels and other days", () => {
    for (const entry of [
      { number: "1" },
      { type: "em" },
      { levtype: "pl", levelist: "500" },
      { date: "20250731" },
    ]) {
      expect(() => found(line({ param: "10fg", _offset: 7, ...entry }), {})).toThrow(UnsuitableDataError);
    }
  });
});

describeWithSamples("real indices", (samples) => {
  const textOf = (name: string) => readFileSync(join(samples, name), "utf8");
  const instant = (element: string, level: string) => ({ element, level, time: "instant" as const });

  it("of HRRR has two accumulations, of which the shorter one is taken", () => {
    const rain: WantedMessage = { element: "APCP", level: "surface", time: "accumulation" };
    const text = textOf("idx/hrrr.t00z.wrfsfcf08.grib2.idx");
    const start = Number(/d=(\d{10})/.exec(text)![1]);
    const base = Date.UTC(
      Math.floor(start / 1e6),
      (Math.floor(start / 1e4) % 100) - 1,
      Math.floor(start / 100) % 100,
      start % 100,
    );
    expect(findMessages(text, "wgrib2", [rain], { cycle: base / 1000, lead: 8 }).messages).toMatchObject([
      { offset: 62669071 },
    ]);
  });

  it("of GFS-Wave has swell by its order, and a last message without an end", () => {
    const text = textOf("grib2/gdaswave.t00z.wcoast.0p16.f000.grib2.idx");
    const wanted = [instant("SWDIR", "3 in sequence"), instant("SWELL", "1 in sequence")];
    expect(
      findMessages(text, "wgrib2", wanted, { cycle: Date.UTC(2021, 10, 30) / 1000, lead: 0 }).messages,
    ).toEqual([
      { offset: 116716, length: 12116, fields: 1, wanted: [wanted[1]] },
      { offset: 259223, length: undefined, fields: 1, wanted: [wanted[0]] },
    ]);
  });
});
