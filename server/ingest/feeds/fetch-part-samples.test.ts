import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { bufferSource } from "#server/ingest/byte-source.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";
import { digestOf, feedOf } from "#test/fetched-part.ts";
import { digest, fetchingTest } from "#test/fetching.ts";
import { stored } from "#test/object-server.ts";
import { describeWithSamples } from "#test/samples.ts";
import { fetchPart } from "./fetch-part.ts";

describeWithSamples("a real step", (samples) => {
  it("of GFS-Wave is fetched by its own index, its last message too", async () => {
    await using test = await fetchingTest();
    const name = path.join(samples, "grib2/gdaswave.t00z.wcoast.0p16.f000.grib2");
    const [bytes, index] = [await readFile(name), await readFile(`${name}.idx`)];
    test.server.objects.set("/data.example/store/wave", stored(bytes));
    test.server.objects.set("/data.example/store/wave.idx", stored(index));
    const { fields } = scanGrib2(bufferSource(name, bytes));
    // HTSGW, the second swell and the last message.
    const wanted = [5, 10, 19].map((number) => fields.find(({ message }) => message === number)!);
    const expected = wanted.map(({ offset, length }) => bytes.subarray(offset, offset + length));
    const feed = feedOf({
      kind: "messages",
      object: "wave",
      index: { object: "wave.idx", form: "wgrib2" },
      wanted: [
        { element: "SWDIR", level: "3 in sequence", time: "instant" },
        { element: "HTSGW", level: "surface", time: "instant" },
        { element: "SWELL", level: "2 in sequence", time: "instant" },
      ],
    });
    const cycle = Date.UTC(2021, 10, 30) / 1000;
    const folder = await mkdtemp(path.join(tmpdir(), "part-"));
    try {
      const fetched = await fetchPart(feed, { cycle, index: 0, times: [cycle] }, "full", {
        fetcher: test.fetcher(),
        folder,
        clock: test.clock,
        signal: AbortSignal.timeout(20_000),
      });
      expect(await digestOf(fetched)).toBe(digest(Buffer.concat(expected)));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
