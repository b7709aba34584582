import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { type DemoService, NOW, startDemoService } from "#test/demo-service.ts";
import { unusedPort } from "#test/unused-port.ts";
import { whereInstalled } from "./outside.ts";

const NAME = "a Signal K server with the plugin";
const plugin = path.resolve(import.meta.dirname, "../../clients/signalk");
const server = path.join(
  import.meta.dirname,
  "outside-programs/node_modules/signalk-server/bin/signalk-server",
);
const shiftClock = path.resolve(import.meta.dirname, "../cluster/shift-clock.ts");
const nowS = Date.parse(NOW) / 1000;

const brest = { latitude: 48.5, longitude: -5.2 };

whereBuilt(NAME, () => whereInstalled(NAME, "signalk-server", () => existsSync(server), answersOfItsRoutes));

interface Data {
  date: string;
  description: string;
  outside: Record<string, number>;
  water: Record<string, number>;
  wind: Record<string, number>;
}

interface Storm {
  tracks: { forecast?: { points: { lat: number; lon: number }[] } };
}

function answersOfItsRoutes(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-signalk-server-"));
  let service: DemoService;
  let signalk: { child: ChildProcess; url: string } | undefined;
  /** A place that a storm of the demo world is forecast to pass. */
  let inTheWay: { latitude: number; longitude: number };

  const stopSignalk = async () => {
    if (!signalk || signalk.child.exitCode !== null) return;
    const ended = once(signalk.child, "exit");
    // It keeps nothing that a signal could lose.
    signalk.child.kill("SIGKILL");
    await ended;
  };

  const weather = async <Reply>(
    route: string,
    { latitude, longitude } = brest,
    more = "",
  ): Promise<Reply> => {
    const query = `lat=${latitude}&lon=${longitude}${more}`;
    const reply = await fetch(`${signalk!.url}/signalk/v2/api/weather/${route}?${query}`);
    const body = await reply.json();
    expect([reply.status, body]).toEqual([200, expect.anything()]);
    return body as Reply;
  };

  beforeAll(async () => {
    service = await startDemoService();
    const { results } = (await service.ask("/storms?provider=jtwc")) as { results: Storm[] };
    const [place] = results.flatMap(({ tracks }) => tracks.forecast?.points.slice(1, 2) ?? []);
    inTheWay = { latitude: place!.lat, longitude: place!.lon };
    writeConfiguration(folder, service);
    signalk = await startSignalk(folder, NOW);
  }, 300_000);

  afterAll(async () => {
    await Promise.all([stopSignalk(), service?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it("has the numbers of the service in SI units and radians, hour by hour and day by day", async () => {
    const times = [0, 1, 2].map((hours) => new Date(1000 * (nowS + 3600 * hours)).toISOString().slice(0, 19));
    const { result } = (await service.ask("/MetOcean", {
      points: times.map((time) => ({ ...brest, timestamp: `${time}Z` })),
      variables: ["wind", "pressure", "current", "wave"],
    })) as { result: { results: { conditions: Record<string, number> }[] } };
    const hours = await weather<Data[]>("forecasts/point", brest, "&count=3");
    expect(hours.map(({ date }) => date)).toEqual(times.map((time) => `${time}Z`));
    const radians = (degrees: number) => expect.closeTo((degrees * Math.PI) / 180, 9);
    for (const [index, { conditions }] of result.results.entries()) {
      expect(hours[index]!.wind).toMatchObject({
        speedTrue: conditions.Winds_10m_Intensity,
        directionTrue: radians(conditions.Winds_10m_Direction!),
      });
      expect(hours[index]!.outside.pressure).toBeCloseTo(100 * conditions.Pressure!, 6);
      expect(hours[index]!.water).toMatchObject({
        surfaceCurrentSpeed: conditions.Currents_Intensity,
        surfaceCurrentDirection: radians(conditions.Currents_Direction!),
        waveSignificantHeight: conditions.Waves_Significant_Height,
        wavePeriod: conditions.Waves_Mean_Period,
        waveDirection: radians(conditions.Waves_Mean_Direction!),
      });
    }
    const [observation] = await weather<Data[]>("observations");
    expect(observation).toEqual({ ...hours[0], type: "observation" });
    expect(observation!.description).toContain("DEMO-WORLD");
    const days = await weather<Data[]>("forecasts/daily", brest, "&count=2");
    expect(days.map(({ date }) => date.slice(0, 10))).toEqual(["2026-01-01", "2026-01-02"]);
    const firstDay = await weather<Data[]>("forecasts/point", brest, "&count=24");
    expect(days[0]!.wind.speedTrue).toBe(Math.max(...firstDay.map(({ wind }) => wind.speedTrue!)));
  });

  it("warns of a storm whose danger area reaches the place, when the service says it does", async () => {
    const { results } = (await service.ask("/storms/approach", {
      provider: "jtwc",
      vessel: { ...inTheWay, course_deg: 0, speed_kt: 0 },
    })) as { results: { id: string; danger: { enters: number | null } | null }[] };
    const storm = results.find(({ danger }) => danger && danger.enters !== null)!;
    const warnings = await weather<{ startTime: string; type: string; details: string }[]>(
      "warnings",
      inTheWay,
    );
    expect(warnings).toContainEqual(
      expect.objectContaining({
        type: "Danger area of a tropical cyclone",
        startTime: new Date(1000 * storm.danger!.enters!).toISOString(),
        details: expect.stringContaining(storm.id),
      }),
    );
    expect(await weather<object[]>("warnings", brest)).toEqual([]);
  });

  it("answers with what was received last when the service is away and the server was restarted", async () => {
    const fresh = await weather<Data[]>("forecasts/point", brest, "&count=3");
    const warnings = await weather<{ details: string }[]>("warnings", inTheWay);
    await Promise.all([service.stop(), stopSignalk()]);
    signalk = await startSignalk(folder, new Date(1000 * (nowS + 2 * 3600)).toISOString());
    const [hour] = await weather<Data[]>("forecasts/point");
    expect(hour).toEqual({
      ...fresh[2],
      description: expect.stringMatching(/^Old: received 2026-01-01T00:/),
    });
    const old = await weather<{ details: string }[]>("warnings", inTheWay);
    expect(old.map(({ details }) => details.replace(/^Old: .*?\. .*?(?=[A-Z])/, "").slice(-30))).toEqual(
      warnings.map(({ details }) => details.slice(-30)),
    );
    expect(old.length).toBeGreaterThan(0);
    expect(old.every(({ details }) => details.startsWith("Old: received 2026-01-01T00:"))).toBe(true);
  });
}

/** The configuration of a Signal K server that has the plugin as npm installs it. */
function writeConfiguration(folder: string, { url, key }: DemoService): void {
  const installed = path.join(folder, "node_modules/signalk-open-metocean");
  mkdirSync(installed, { recursive: true });
  for (const name of readdirSync(plugin))
    if (/\.js$|^package\.json$/.test(name)) cpSync(path.join(plugin, name), path.join(installed, name));
  mkdirSync(path.join(folder, "plugin-config-data"));
  writeFileSync(
    path.join(folder, "plugin-config-data/signalk-open-metocean.json"),
    JSON.stringify({ enabled: true, configuration: { url, key } }),
  );
  const off = { appstore: false, "nmea-tcp": false, tcp: false, mdns: false };
  writeFileSync(
    path.join(folder, "settings.json"),
    JSON.stringify({ interfaces: off, mdns: false, pipedProviders: [] }),
  );
}

/** @param now Its clock begins there. */
async function startSignalk(folder: string, now: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await unusedPort();
  const child = spawn(process.execPath, ["--import", shiftClock, server], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_ENV: "production",
      PORT: String(port),
      SIGNALK_NODE_CONFIG_DIR: folder,
      // The pages of its own administration are not installed.
      SKIP_ADMINUI_VERSION_CHECK: "1",
      CLOCK_SHIFT_S: String(Math.round((Date.parse(now) - Date.now()) / 1000)),
    },
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("signalk-server running at")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`signalk-server ended:\n${output}`)));
  });
  return { child, url: `http://127.0.0.1:${port}` };
}
