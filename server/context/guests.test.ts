import { expect, it } from "vitest";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { isSynthetic } from "#server/archive/run.ts";
import { withDemo } from "#server/demo/runs.ts";
import { guestsNow } from "#server/http/guests.ts";
import { realClock } from "#server/platform/clock.ts";
import { readEnv } from "#server/platform/env.ts";
import { newRun, publish, temporaryFolder } from "#test/archive.ts";
import { guestsOf } from "./guests.ts";

const axis = { start: 0, step: 1, count: 3 };

it("visitors see the demo by default, and nothing that another process publishes in its place", async () => {
  const root = temporaryFolder();
  const catalog = withDemo(openCatalog(directoryStore(root)), "auto", realClock.now);
  const answersDemo = async () => isSynthetic(await catalog.manifest());
  const modes = () =>
    Promise.all(
      [{}, { GUESTS: "map" }, { FEEDS: "lite", DEMO: "always" }].map(async (set) => {
        const guests = guestsOf(readEnv(set), answersDemo, "pepper of the tests", realClock);
        return (await guestsNow(guests))?.mode;
      }),
    );
  expect(await modes()).toEqual(["map", "map", undefined]);
  const run = newRun({ latitude: axis, longitude: axis }, 1);
  await publish(root, run, { sea_surface_temperature: [new Float32Array(9)] });
  await catalog.refresh();
  expect(await modes()).toEqual([undefined, "map", undefined]);
});
