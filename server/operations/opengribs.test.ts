import { createHash } from "node:crypto";
import { utimes } from "node:fs/promises";
import path from "node:path";
import { bufferSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { beforeEach, describe, expect, it } from "vitest";
import { statusModels } from "#lib/opengribs/request.ts";
import { readMailRequests } from "#lib/saildocs/request.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { Queue } from "#server/http/queue.ts";
import { publishers } from "#server/ingest/publishers/registry.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolder } from "#test/archive.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { hasEccodes, readByEccodes, valueAtNode } from "#test/eccodes.ts";
import { ask, bytesOf, connectWeather, textOf } from "#test/send.ts";
import { makeOpengribsFile } from "./opengribs-file.ts";
import { OpengribsFiles, opengribsLimits } from "./opengribs-files.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);
const MIB = 2 ** 20;

let folder: string;
let files: OpengribsFiles;
let made: number;

beforeEach(() => {
  folder = temporaryFolder();
  made = 0;
  connect();
});

function connect({ maxBytes = 4 * MIB, limit = 10_000, from = archive } = {}): void {
  const blobs = folderBlobStore(folder);
  files = new OpengribsFiles({
    blobs,
    make: (file, signal) => {
      made++;
      return makeOpengribsFile({ archive: from, blobs }, file, signal);
    },
    queue: new Queue(opengribsLimits),
    maxBytes,
    now: () => Date.now() / 1000,
    onError: (error) => {
      throw error;
    },
  });
  const text = `${limit} per 1 hour`;
  connectWeather(now, {
    archive: from,
    opengribs: { files, limit: { count: limit, periodSeconds: 3600, text } },
  });
}

/** The request of XyGrib 1.2.6.1, with the parts that a test changes. */
function query(part: Record<string, string> = {}): string {
  return `/getmygribs2.php?${new URLSearchParams({
    osys: "Linux",
    ver: "1.2.6",
    model: "gfs_p50_",
    la1: "42",
    la2: "48",
    lo1: "-12",
    lo2: "-4",
    intv: "6",
    days: "1",
    cyc: "last",
    par: "W;P;R;",
    wmdl: "ww3_p50_",
    wpar: "s;",
    ...part,
  })}`;
}

const host = { host: "grbsrv.opengribs.org" };

async function replyTo(target: string, address?: string) {
  const reply = await ask("GET", target, { headers: { ...host, "x-api-key": undefined }, address });
  expect(reply.status).toBe(200);
  const text = await textOf(reply);
  expect(text).not.toContain("\n");
  return { text, ...(JSON.parse(text) as { status: boolean; message: Offer & string }) };
}

interface Offer {
  url: string;
  size: number;
  sha1: string;
  missing?: string[];
}

async function download(url: string): Promise<Buffer> {
  const reply = await ask("GET", new URL(url).pathname, { headers: { "x-api-key": undefined } });
  expect(reply.status).toBe(200);
  return bytesOf(reply);
}

describe("the OpenGribs protocol", () => {
  it("offers a file whose bytes and SHA-1 agree with the reply, in the text that OpenCPN searches", async () => {
    const { text, status, message } = await replyTo(query());
    expect(status).toBe(true);
    expect(text).toMatch(
      /^\{"status":true,"message":\{"url":"http:\\\/\\\/grbsrv\.opengribs\.org\\\/downloads\\\/\d+\\\//,
    );
    expect(text).toMatch(/\.grb2"/);
    const bytes = await download(message.url);
    expect(bytes).toHaveLength(message.size);
    expect(createHash("sha1").update(bytes).digest("hex")).toBe(message.sha1);
  });

  it("answers OpenCPN's request: whole degrees, another order, encoded semicolons, a slash after the script", async () => {
    const target =
      "/getmygribs2.php/?osys=Linux&ver=5.8&model=gfs_p25_&la1=42&la2=43&lo1=-12&lo2=-11&intv=3&days=1&cyc=last&par=W%3BG%3B&wmdl=none&wpar=";
    const { message } = await replyTo(target);
    const { fields } = scanGrib2(bufferSource("file", await download(message.url)));
    // Eastward and northward wind and the gust, every three hours of a day with both its ends.
    expect(fields).toHaveLength(3 * 9);
  });

  it.runIf(hasEccodes())(
    "its numbers are those of POST /MetOcean at the nodes, read by eccodes",
    async () => {
      const { message } = await replyTo(query({ days: "0.25" }));
      const messages = readByEccodes(await download(message.url));
      const wave = messages.find((one) => one.discipline === 10)!;
      const longitudes = wave.longitudes.map((value) => (value > 180 ? value - 360 : value));
      const places = wave.latitudes
        .slice(0, 4)
        .flatMap((latitude) =>
          longitudes.slice(0, 5).map((longitude) => ({ latitude, longitude, timestamp: formatInstant(now) })),
        );
      expect(places).toHaveLength(20);
      const reply = await ask("POST", "/MetOcean", {
        body: { points: places, variables: ["wave", "pressure"] },
      });
      const answers = JSON.parse(await textOf(reply)).result.results as {
        conditions: Record<string, number | null>;
      }[];
      const valueAt = (category: number, number: number, discipline: number, place: (typeof places)[0]) => {
        const found = messages.find(
          (one) =>
            one.discipline === discipline &&
            one.parameterCategory === category &&
            one.parameterNumber === number &&
            one.validityTime === 1200,
        )!;
        return valueAtNode(found, place);
      };
      for (const [at, place] of places.entries()) {
        const { Waves_Significant_Height: height, Pressure: pressure } = answers[at]!.conditions;
        const read = valueAt(0, 3, 10, place);
        if (height === null) expect(read).toBeNull();
        else expect(Math.abs(read! - height!)).toBeLessThan(0.006);
        expect(Math.abs(valueAt(3, 1, 0, place)! / 100 - pressure!)).toBeLessThan(0.06);
      }
    },
  );

  it.runIf(hasEccodes())("writes rain as the mean since the step before, as XyGrib reads it", async () => {
    const { message } = await replyTo(query({ days: "1", intv: "6", wmdl: "none", par: "R;" }));
    const rain = readByEccodes(await download(message.url));
    expect(rain.map((one) => [one.productDefinitionTemplateNumber, one.stepType, one.stepRange])).toEqual([
      [0, "instant", "0"],
      [8, "avg", "5-6"],
      [8, "avg", "11-12"],
      [8, "avg", "17-18"],
      [8, "avg", "23-24"],
    ]);
    expect(rain.map(({ shortName }) => shortName)).not.toContain("unknown");
    expect(rain.map((one) => [one.validityDate, one.validityTime])).toEqual(
      rain.map((_, at) => [20260915 + Math.floor((6 + 6 * at) / 24), ((6 + 6 * at) % 24) * 100]),
    );
  });

  it("crosses 180 degrees, also with longitudes beyond it", async () => {
    for (const edges of [
      { lo1: "178", lo2: "183" },
      { lo1: "178", lo2: "-177" },
      { lo1: "-182", lo2: "-177" },
    ]) {
      const { message } = await replyTo(query({ ...edges, days: "0.25", wmdl: "none" }));
      const { fields, rejected } = scanGrib2(bufferSource("file", await download(message.url)));
      expect(rejected).toEqual([]);
      expect(fields[0]!.grid).toMatchObject({ longitude: { start: 178, step: 0.5, count: 11 } });
    }
  });

  it("thins the grid to the step that the name of the model asks for", async () => {
    const { message } = await replyTo(query({ model: "gfs_1p0_", wmdl: "none" }));
    const source = bufferSource("file", await download(message.url));
    const { fields } = scanGrib2(source);
    expect(fields[0]!.grid).toMatchObject({ latitude: { step: 1 }, longitude: { step: 1 } });
    expect(decodeGrib2(source, fields[0]!).length).toBe(7 * 9);
  });

  it("makes a file once for equal requests", async () => {
    const replies = await Promise.all([1, 2, 3].map(() => replyTo(query())));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await replyTo(query())).text).toBe(replies[0]!.text);
    expect(made).toBe(1);
  });

  it("leaves out parameters that it does not have, and names them", async () => {
    const { message } = await replyTo(query({ par: "W;H;skewt;", wmdl: "none" }));
    expect(message.missing).toEqual(["H", "skewt"]);
    expect((await replyTo(query({ par: "H;", wmdl: "none" }))).message).toContain("none of the parameters H");
  });

  it("names the parameters that the runs of a model do not have", async () => {
    const withoutGusts = async () => {
      const manifest = await archive.manifest();
      const runs = manifest.runs.map(({ fields: { wind_speed_of_gust: _gust, ...fields }, ...run }) => ({
        ...run,
        fields,
      }));
      return { ...manifest, runs, earlier: [] };
    };
    connect({ from: { ...archive, manifest: withoutGusts } });
    const { message } = await replyTo(query({ par: "W;G;skewt;", wpar: "H;P;" }));
    expect(message.missing).toEqual(["skewt", "G"]);
    expect((await replyTo(query({ par: "W;G;skewt;", wpar: "H;P;" }))).message.missing).toEqual([
      "skewt",
      "G",
    ]);
    expect((await replyTo(query({ par: "G;", wmdl: "none" }))).message).toContain("none of these parameters");
    expect((await replyTo(query({ par: "W;P;", wmdl: "none" }))).message).not.toHaveProperty("missing");
  });

  it.each([
    [{ la1: "x" }, "numbers in la1"],
    [{ la1: "50", la2: "40" }, "southern one first"],
    [{ intv: "5" }, "The interval can be"],
    [{ days: "400" }, "from 1 to 16 days"],
    [{ cyc: "07" }, "last, 00, 06, 12 or 18"],
    [{ model: "none", wmdl: "none" }, "Choose a model"],
    [{ model: "../../etc" }, "does not know the model"],
  ])("says in words what is wrong with %j", async (part, words) => {
    const { status, message } = await replyTo(query(part as Record<string, string>));
    expect(status).toBe(false);
    expect(message).toContain(words);
  });

  it("makes no file where it does not know the address of it", async () => {
    for (const host of [undefined, "", "a b"]) {
      const reply = await ask("GET", query(), { headers: { host, "x-api-key": undefined } });
      expect(JSON.parse(await textOf(reply))).toMatchObject({
        status: false,
        message: expect.stringContaining("host of this server"),
      });
    }
    expect(made).toBe(0);
  });

  it("makes no file that is larger than the limit, and says so", async () => {
    connect({ maxBytes: MIB });
    const { message } = await replyTo(
      query({ la1: "-80", la2: "80", lo1: "-180", lo2: "180", model: "gfs_p25_" }),
    );
    expect(message).toMatch(
      /^The file would have about \d+ MB, and this server sends at most 1 MB\. Choose a smaller area/,
    );
  });

  it("thins a file to a size where one is given, and says what is left", async () => {
    connect();
    const line = "send gfs:40N,47N,60W,50W|0.5,0.5|0,3..96|WIND,PRMSL,WAVES";
    const [read] = readMailRequests(line).requests;
    if (read?.kind !== "file") throw new Error(JSON.stringify(read));
    const { signal } = new AbortController();
    const fileOf = async (maxBytes?: number) =>
      files.file("owner", read.request, await archive.manifest(), now, signal, maxBytes);
    const whole = await fileOf();
    expect(whole.contents.map(({ step, times }) => [step, times])).toEqual([
      [0.5, 33],
      [0.5, 33],
    ]);
    for (const maxBytes of [40_000, 9_000]) {
      const { bytes, path: at, contents } = await fileOf(maxBytes);
      expect(bytes).toBeLessThanOrEqual(maxBytes);
      expect(bytes).toBeGreaterThan(maxBytes / 2);
      const [, , number, name] = at.split("/");
      const { fields } = scanGrib2(
        bufferSource("file", Buffer.concat(await Array.fromAsync((await files.read(number!, name!))!))),
      );
      expect(fields[0]!.grid).toMatchObject({ latitude: { step: contents[0]!.step } });
      expect(new Set(fields.map(({ time }) => time.end)).size).toBe(contents[0]!.times);
    }
    await expect(fileOf(500)).rejects.toThrow("Choose a smaller area or fewer parameters");
  });

  it("holds the hours that a request names, and says where the forecast ends", async () => {
    connect();
    const { signal } = new AbortController();
    const fileOf = async (hours: string) => {
      const [read] = readMailRequests(`send gfs:40N,45N,60W,55W|1,1|${hours}|PRMSL`).requests;
      if (read?.kind !== "file") throw new Error(JSON.stringify(read));
      return files.file("owner", read.request, await archive.manifest(), now, signal, 50_000);
    };
    const { contents } = await fileOf("0,7,48");
    expect(contents).toMatchObject([{ times: 3, last: contents[0]!.base + 48 * 3600 }]);
    await expect(fileOf("384")).rejects.toThrow(/none of these times\. Its last one is 2026-09-/);
  });

  it("counts the requests of an address, and says its limit in words", async () => {
    connect({ limit: 1 });
    await replyTo(query(), "192.0.2.1");
    expect((await replyTo(query(), "192.0.2.1")).message).toContain("1 per 1 hour");
    expect((await replyTo(query(), "192.0.2.2")).status).toBe(true);
  });

  it.each([
    "/downloads/1/../../key-pepper",
    "/downloads/..%2F..%2Fkey-pepper/x.grb2",
    "/downloads/1/%2e%2e.grb2",
    "/downloads/1/x.grb2",
  ])("has no file at %s", async (target) => {
    expect((await ask("GET", target, { headers: { "x-api-key": undefined } })).status).toBe(404);
  });

  it("deletes files after an hour, also those that a killed writer left", async () => {
    const { message } = await replyTo(query());
    const { pathname } = new URL(message.url);
    const [, , number, name] = pathname.split("/");
    await files.sweep();
    expect(await files.read(number!, name!)).toBeDefined();
    const old = Date.now() / 1000 - 3601;
    await utimes(path.join(folder, "downloads", `${number}-${name}`), old, old);
    await files.sweep();
    expect(await files.read(number!, name!)).toBeUndefined();
  });

  it("knows the models by names of publishers", () => {
    const names = publishers.map(({ name }) => name);
    const sources = Object.values(statusModels).flatMap((model) => model.sources);
    expect(sources.toSorted()).toEqual(["arpege", "dwdewam", "dwdgwam", "ecmwf", "gfs", "gfswave"]);
    expect(names).toEqual(expect.arrayContaining(sources));
  });

  it("reports the newest run of each model", async () => {
    const reply = await ask("GET", "/getstatus2.php", { headers: { "x-api-key": undefined } });
    const states = JSON.parse(await textOf(reply)) as Record<string, Record<string, string>>;
    expect(Object.keys(states).sort()).toEqual(
      ["gfs", "ico", "arp", "ecm", "ww3", "gwa", "nca", "ncb", "npa", "ice", "are", "ewa"].sort(),
    );
    for (const state of Object.values(states))
      expect(Object.keys(state)).toEqual(["reference", "posted_at", "status", "eta"]);
  });
});
