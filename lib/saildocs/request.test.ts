import { describe, expect, it } from "vitest";
import { howTo, type MailRequest, readMailRequests } from "./request.ts";

const only = (text: string): MailRequest => {
  const { requests } = readMailRequests(text);
  expect(requests).toHaveLength(1);
  return requests[0]!;
};

const fileOf = (text: string) => {
  const read = only(text);
  if (read.kind !== "file") throw new Error(JSON.stringify(read));
  const { parts } = read.request;
  const variables = parts.map(({ parameters }) => [...new Set(parameters.map(({ variable }) => variable))]);
  return { request: read.request, variables, unknown: parts.flatMap(({ unknown }) => unknown) };
};

describe("the lines of Saildocs", () => {
  it("ask for a box, a grid step, hours with dots, and parameters of the atmosphere and of waves", () => {
    const { request, variables, unknown } = fileOf(
      "send gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|WIND,PRMSL,RAIN,GUST,WAVES",
    );
    expect(request.box).toEqual({ south: 40, north: 50, west: -60, east: -45 });
    expect(request.offsets).toHaveLength(33);
    expect(request.offsets?.slice(0, 3)).toEqual([0, 3, 6]);
    expect(request.parts.map(({ model, step }, at) => [model.sources, step, variables[at]])).toEqual([
      [["gfs"], 0.5, ["wind", "pressure", "rain", "gust"]],
      [["gfswave"], 0.5, ["wave"]],
    ]);
    expect(unknown).toEqual([]);
  });

  it("are those that OpenCPN writes, over several lines", () => {
    const { request, variables, unknown } = fileOf(
      "send GFS:50N,40N,012W,004E|0.5,0.5|0,3,6..192|=\nWIND,PRESS,APCP,TCDC,AIRTMP,HTSGW,WVPER,=\nWVDIR,SEATMP,GUST,CAPE",
    );
    expect(request.box).toEqual({ south: 40, north: 50, west: -12, east: 4 });
    expect(request.offsets).toHaveLength(65);
    expect(variables.flat()).toEqual(["wind", "pressure", "rain", "cloud", "temp", "gust", "mucape", "wave"]);
    expect(unknown).toEqual(["SEATMP"]);
  });

  it.each([
    ["send ecmwf:40N,50N,60W,45W|1,1|24,48|WIND,MSLP,WAVES", [["ecmwf"], ["ecmwfwave"]]],
    ["send aifs:40N,50N,60W,45W|1,1|24,48|WIND,WAVES", [["ecmwfaifs"], ["ecmwfaifswave"]]],
    ["send ukmo:40N,50N,60W,45W|1,1|24,48|WIND,GUST", [["ukmo"]]],
    ["send arpege:40N,50N,60W,45W|1,1|24,48|WIND", [["arpege"]]],
    ["send ww3:40N,50N,60W,45W", [["gfswave"]]],
    ["SEND Waves:40N,50N,60W,45W|1,1|24|WAVES", [["gfswave"]]],
    ["send grib:40N,50N,60W,45W", [["gfs"]]],
  ])("%s names its model", (line, sources) => {
    expect(fileOf(line).request.parts.map(({ model }) => model.sources)).toEqual(sources);
  });

  it("have the defaults and the separators of Saildocs", () => {
    const { request, variables } = fileOf("send gfs:40N,60N,0W,20W");
    expect(request).toMatchObject({ offsets: [24, 48, 72], seconds: 72 * 3600 });
    expect([request.parts[0]!.step, variables]).toEqual([2, [["pressure", "wind"]]]);
    expect(fileOf("send gfs:40N,60N,0W,20W/0.5,0.5/0,24,48,72/").request).toMatchObject({
      offsets: [0, 24, 48, 72],
      parts: [{ step: 0.5 }],
    });
  });

  it.each([
    ["40N,60N,20W,0W", { south: 40, north: 60, west: -20, east: 0 }],
    ["60N,40N,0W,20W", { south: 40, north: 60, west: -20, east: 0 }],
    ["10S,10N,170E,170W", { south: -10, north: 10, west: 170, east: -170 }],
    ["10S,10N,170W,170E", { south: -10, north: 10, west: 170, east: -170 }],
    ["10S,10N,160E,180E", { south: -10, north: 10, west: 160, east: 180 }],
    ["47-30N,48.5N,5-15W,4W", { south: 47.5, north: 48.5, west: -5.25, east: -4 }],
  ])("the area %s is the same in any order, also across 180 degrees", (area, box) => {
    expect(fileOf(`send gfs:${area}`).request.box).toEqual(box);
  });

  it("ask for a spot: days, hours between rows, parameters", () => {
    expect(only("send spot:47N,5W|3,6|WIND,WAVES")).toEqual({
      kind: "spot",
      place: { latitude: 47, longitude: -5 },
      days: 3,
      hours: 6,
      variables: ["wind", "wave"],
      unknown: [],
    });
    expect(only("send spot:25.5N,150.25W")).toMatchObject({ days: 5, hours: 6 });
  });

  it.each([
    ["send gfs:40N,50N", "two latitudes and two longitudes"],
    ["send gfs:40,50,X,Y", "position is not clear"],
    ["send gfs:40N,50N,60W,45W|x", "grid step is in degrees"],
    ["send gfs:40N,50N,60W,45W|1,1|..96", "Two hours stand before the dots"],
    ["send gfs:40N,50N,60W,45W|1,1|500", "from 0 to 384"],
    ["send gfs:40N,50N,60W,45W|1,1|24|ABSV", "There is no ABSV. Parameters: WIND, PRMSL"],
    ["send ww3:40N,50N,60W,45W|1,1|24|WIND", "There is no WIND. Parameters: WAVES, SWELL."],
    ["send spot:47N,5W|99", "from 1 to 16 days"],
    ["send spot:47N,5W|3,5", "hours between rows"],
    ["send spot:nowhere", "position is not clear"],
    ["send icon:40N,50N,60W,45W", "There are gfs, ecmwf"],
    ["send met.51n", "There are gfs, ecmwf"],
    ["sub gfs:40N,50N,60W,45W", "Subscriptions are not available"],
  ])("%s is answered in words", (line, words) => {
    const read = only(line);
    expect(read.kind === "problem" && read.text).toContain(words);
    expect(read.kind === "problem" && read.text).not.toContain("\n");
  });

  it("says how large the answer may be, on any line", () => {
    expect(readMailRequests("send spot:47N,5W\nmax 30k").maxBytes).toBe(30_000);
    expect(readMailRequests("send spot:47N,5W|3,6 max 12.5 kB").maxBytes).toBe(12_500);
    expect(readMailRequests("max=50K\nsend spot:47N,5W\nmax: 30k").maxBytes).toBe(30_000);
    expect(readMailRequests("send spot:47N,5W\nat most thirty").maxBytes).toBeUndefined();
    expect(only("send gfs:40N,50N,60W,45W max 30k").kind).toBe("file");
  });

  it("are read up to a signature or a quoted e-mail, and only where they begin a line", () => {
    expect(readMailRequests("Please send gfs:40N,50N,60W,45W\n> send spot:1N,1W").requests).toEqual([]);
    expect(readMailRequests("-- \nsend spot:1N,1W").requests).toEqual([]);
    expect(readMailRequests("-----Original Message-----\nsend spot:1N,1W").requests).toEqual([]);
    expect(readMailRequests(howTo).requests).toEqual([]);
  });

  it("are at most five in an e-mail, however long it is", () => {
    const { requests } = readMailRequests("send spot:47N,5W\r\n".repeat(2000));
    expect(requests).toHaveLength(6);
    expect(requests[5]).toMatchObject({ kind: "problem", text: expect.stringContaining("first 5") });
  });

  it("never repeat what a person wrote other than words of parameters", () => {
    const secret = "mo_abc_secret-key";
    for (const line of [
      `send ${secret}`,
      `send gfs:${secret}`,
      `send gfs:40N,50N,60W,45W|1,1|24|${secret}`,
    ]) {
      expect(JSON.stringify(only(line))).not.toContain(secret);
    }
  });
});
