import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { type PointRequest, pointLimits, type pointResponse } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { whereBuilt } from "#test/built-pages.ts";
import { type DemoService, NOW, startDemoService } from "#test/demo-service.ts";

const NAME = "files and EDR queries that become tasks";

whereBuilt(NAME, () =>
  describe(NAME, () => {
    let service: DemoService;
    beforeAll(async () => {
      service = await startDemoService();
    }, 120_000);
    afterAll(() => service?.stop());

    const headers = () => ({ "x-api-key": service.key, "content-type": "application/json" });
    const post = (target: string, body: object, more: Record<string, string> = {}) =>
      fetch(service.url + target, {
        method: "POST",
        headers: { ...headers(), ...more },
        body: JSON.stringify(body),
      });
    const accepted = async (reply: Response): Promise<string> => {
      expect(reply.status).toBe(202);
      const { task_id: id } = (await reply.json()) as { task_id: string };
      expect(reply.headers.get("location")).toBe(`/task/${id}`);
      return id;
    };
    const finished = (id: string) =>
      vi.waitFor(
        async () => {
          const state = (await service.ask(`/task/${id}`)) as z.infer<typeof pointResponse>;
          expect(state.status).toBe("SUCCESS");
          return state;
        },
        { timeout: 90_000, interval: 200 },
      );
    const resultAs = async (id: string, query: string) => {
      const reply = await fetch(`${service.url}/task/${id}${query}`, { headers: headers() });
      expect(reply.status).toBe(200);
      return Buffer.from(await reply.arrayBuffer());
    };

    const file = {
      area: { type: "box", latitude: [47, 48], longitude: [-7, -6] },
      variables: ["wind", "current", "pressure"],
      from: NOW,
      to: "2026-01-01T06:00:00Z",
      step_hours: 3,
    };

    it("a file by a task is the file that is answered at once, in its own format and in others", async () => {
      const atOnce = Buffer.from(await (await post("/files", file)).arrayBuffer());
      expect(atOnce.subarray(0, 4).toString()).toBe("GRIB");
      const id = await accepted(await post("/files", { ...file, async: true }));
      await finished(id);
      expect((await resultAs(id, "?f=grib2")).equals(atOnce)).toBe(true);
      const netcdf = (await resultAs(id, "?f=netcdf")).toString("latin1");
      expect(netcdf).toMatch(/^CDF/);
      expect(netcdf).toContain("surface_eastward_sea_water_velocity");
      expect(netcdf).toContain("eastward surface current");
      const [header] = (await resultAs(id, "?f=csv")).toString().split("\r\n");
      expect(header).toContain("eastward_wind_10m [m/s],northward_wind_10m [m/s],");
      expect(header).toContain("Pressure [hPa]");
    }, 90_000);

    it("a trajectory of more places than are answered at once is kept, and has the numbers of POST /MetOcean", async () => {
      const start = Date.parse(NOW) / 1000;
      const count = 2 * pointLimits.sync;
      const places = Array.from(
        { length: count },
        (_, at) => [(at - count) / 10_000, 40 + at / 10_000, start + at] as const,
      );
      const coords = `LINESTRINGM(${places.map((place) => place.join(" ")).join()})`;
      const body = { coords, "parameter-name": "Winds_10m_Intensity,Winds_10m_Direction" };
      const send = () =>
        post("/edr/collections/forecast/trajectory", body, { "idempotency-key": "a-long-line" });
      const id = await accepted(await send());
      // Sent again, as after a cut connection, it is the same task.
      expect(await accepted(await send())).toBe(id);
      const { points: kept, variables } = (await service.ask(`/task/${id}/request`)) as PointRequest;
      expect([kept.length, variables]).toEqual([count, ["wind"]]);
      const { result } = await finished(id);
      expect(result.results).toHaveLength(count);
      const some = [0, 12_345, count - 1];
      const points = some.map((at) => {
        const [longitude, latitude, time] = places[at]!;
        return { latitude, longitude, timestamp: formatInstant(time) };
      });
      expect(some.map((at) => kept[at])).toEqual(points);
      const same = (await service.ask("/MetOcean", { points, variables: ["wind"] })) as z.infer<
        typeof pointResponse
      >;
      expect(some.map((at) => result.results[at])).toEqual(same.result.results);
    }, 120_000);

    it("a cube of more values than are answered at once is a task, and one beyond the tasks is 413 in EDR's form", async () => {
      const cube = (range: string) =>
        fetch(
          `${service.url}/edr/collections/forecast/cube?bbox=-180,-90,180,90&parameter-name=Winds_10m_Intensity&datetime=${range}`,
          { headers: headers() },
        );
      const id = await accepted(await cube("2026-01-01T00:00:00Z/2026-01-01T06:00:00Z"));
      await service
        .ask(`/task/${id}/request`)
        .then((sent) => expect(sent).toMatchObject({ variable: "wind" }));
      expect((await post(`/cancel_task/${id}`, {})).status).toBe(200);
      const refused = await cube("2026-01-01T00:00:00Z/2026-01-10T00:00:00Z");
      expect(refused.status).toBe(413);
      expect(await refused.json()).toEqual({
        code: "PayloadTooLarge",
        description: expect.stringContaining("values"),
      });
    }, 60_000);
  }),
);
