import { expect, it } from "vitest";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { decodeFrame, valueAtNode } from "#lib/field/frame.ts";
import { pathSigner } from "#server/http/signed-path.ts";
import { frameCache } from "#server/metocean/frames.ts";
import { ensembleArchive, ensembleStart } from "#test/ensembles.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, bytesOf, connectWeather, issuesOf, textOf } from "#test/send.ts";

const SHARE = "wind_speed_over_34kn_within_24h";

async function open() {
  const members = [0, 1, 2, 5];
  const { archive, run } = await ensembleArchive({
    members,
    fields: ["eastward_wind_10m", "northward_wind_10m"],
    statistics: ["wind_speed_mean", SHARE],
  });
  const framePaths = pathSigner("a secret of some length", testRequestContext().clock);
  connectWeather(ensembleStart, { archive, frames: frameCache(1e6), framePaths });
  return run;
}

const manifestOf = async (query: string) =>
  fieldManifest.parse(JSON.parse(await textOf(await ask("GET", `/2DMetOcean/manifest?${query}`))));

it("the map draws a statistic of an ensemble, and knows on how many members of how many it stands", async () => {
  const run = await open();
  const manifest = await manifestOf(`variable=${SHARE}`);
  expect(manifest.runs).toEqual([
    expect.objectContaining({
      run: run.id,
      ensemble: { name: "gefs", members: [0, 1, 2, 5], size: 31 },
      planes: [{ name: SHARE, unit: "%", scale: 0.1, offset: 0 }],
    }),
  ]);
  expect(await manifestOf(`variable=${SHARE}&ensemble=gefs`)).toEqual(manifest);
  const [{ frames, times }] = manifest.runs as [(typeof manifest.runs)[0]];
  const reply = await ask("GET", `${frames}/${times[1]}/1/all`, { headers: { "x-api-key": undefined } });
  const frame = decodeFrame(await bytesOf(reply));
  expect([40, 99, 101].map((node) => valueAtNode(frame, node, 0))).toEqual([40, 99, 1]);
});

it("the manifest of a variable names the ensembles that forecast it, and what of them can be drawn", async () => {
  await open();
  const { ensembles, runs } = await manifestOf("variable=wind");
  expect(runs).toEqual([]);
  expect(ensembles).toEqual([
    {
      name: "gefs",
      title: "GEFS 0.5°",
      members: 4,
      size: 31,
      keeps_members: true,
      statistics: ["wind_speed_mean", SHARE],
    },
  ]);
  expect(await manifestOf("variable=wave")).not.toHaveProperty("ensembles");
});

it("a statistic that no run stores has no runs, and an ensemble that does not exist is refused", async () => {
  await open();
  expect((await manifestOf("variable=wind_speed_spread&ensemble=gefs")).runs).toEqual([]);
  const reply = await ask("GET", `/2DMetOcean/manifest?variable=${SHARE}&ensemble=ens`);
  expect([reply.status, await issuesOf(reply)]).toEqual([
    422,
    [["ensemble", "There is no ensemble ens: the archive has gefs"]],
  ]);
});

it("members themselves are not drawn", async () => {
  const run = await open();
  const frame = `/2DMetOcean/frames/Forecast/${run.id}/wind/2026-06-15T03:00:00Z/1/all`;
  expect((await ask("GET", frame)).status).toBe(404);
});
