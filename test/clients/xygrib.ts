import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { kill } from "#test/chaos/kill.ts";

const run = promisify(execFile);

/** XyGrib, a screen without a monitor, and the programs that press its keys and take its picture. */
const programs = ["XyGrib", "Xvfb", "xdotool", "import"];

export function hasXygrib(): boolean {
  return programs.every((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0);
}

const WIDTH = 1280;
const HEIGHT = 900;

/** Longest wait for one step, milliseconds. On a busy machine XyGrib needs a minute for what takes a second. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 200;

/** The fields that XyGrib colours, as its setting colorMapData writes it: type of data, type of level, level. */
const COLOURED = { wind: "250;105;10", waves: "100;1;0" } as const;

/** A rectangle of the screen, pixels. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A picture of the screen. */
export class Picture {
  readonly #bytes: Uint8Array;

  /** @param bytes Red, green and blue of each pixel. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The number of colours in a rectangle, the one that most of its pixels have, and the share of these pixels. */
  colours({ left, top, right, bottom }: Rectangle): { number: number; commonest: number; share: number } {
    const counts = new Map<number, number>();
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) {
        const at = 3 * (y * WIDTH + x);
        const colour = (this.#bytes[at]! << 16) | (this.#bytes[at + 1]! << 8) | this.#bytes[at + 2]!;
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
    const [commonest, pixels] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    return { number: counts.size, commonest, share: pixels / ((right - left) * (bottom - top)) };
  }
}

/** XyGrib on a screen and in a home folder of its own. It is used by one test, which closes it. */
export class Xygrib {
  readonly #folder: string;
  readonly #screen: ChildProcess;
  readonly #env: NodeJS.ProcessEnv;
  #program: ChildProcess | undefined;
  #output = "";

  private constructor(folder: string, screen: ChildProcess, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#screen = screen;
    this.#env = env;
  }

  /**
   * Opens a screen, and prepares the settings of XyGrib.
   *
   * @param folder An empty folder.
   * @param url Address of the service, which is XyGrib's proxy.
   */
  static async open(folder: string, url: string): Promise<Xygrib> {
    mkdirSync(path.join(folder, ".config"));
    mkdirSync(path.join(folder, "files"));
    writeFileSync(path.join(folder, ".config/xygrib.ini"), settings(path.join(folder, "files")));
    // Without -noreset the screen starts anew whenever its last program leaves, which breaks the connection of the next.
    const args = ["-displayfd", "3", "-screen", "0", `${WIDTH}x${HEIGHT}x24`, "-nolisten", "tcp", "-noreset"];
    const screen = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const [number] = (await Promise.race([
      once(screen.stdio[3] as Readable, "data"),
      once(screen, "exit").then(() => Promise.reject(new Error("Xvfb could not open a screen"))),
    ])) as [Buffer];
    return new Xygrib(folder, screen, {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      LANG: "C.UTF-8",
      HOME: folder,
      DISPLAY: `:${number.toString().trim()}`,
      http_proxy: url,
    });
  }

  /** Starts XyGrib, or starts it anew. @param file The file that it opens. */
  async start(coloured: keyof typeof COLOURED, file?: string): Promise<void> {
    if (this.#program) await kill(this.#program);
    this.#program = spawn("XyGrib", [`-Ini:colorMapData=${COLOURED[coloured]}`, ...(file ? [file] : [])], {
      stdio: ["ignore", "ignore", "pipe"],
      env: this.#env,
    });
    this.#output = "";
    this.#program.stderr!.on("data", (text: Buffer) => {
      this.#output += text.toString();
    });
    await this.#window("^XyGrib");
  }

  /** Chooses a part of the map, downloads a file for it, and saves it under its name. @returns The file. */
  async download({ left, top, right, bottom }: Rectangle): Promise<string> {
    const main = await this.#window("^XyGrib");
    await this.#xdotool("mousemove", left, top, "mousedown", 1);
    await this.#xdotool("mousemove", (left + right) / 2, (top + bottom) / 2);
    await this.#xdotool("mousemove", right, bottom, "mouseup", 1);
    await this.#press(main, "ctrl+d");
    // "Download" and "Save" are the default buttons of their dialogs.
    for (const title of ["^Download - GRIB$", "^Save GRIB file$"])
      await this.#press(await this.#window(title), "Return");
    await this.#window("grb2$");
    const [name] = readdirSync(path.join(this.#folder, "files"));
    return path.join(this.#folder, "files", name!);
  }

  /** Takes pictures of the screen until one passes a check. @throws The last failure of the check. */
  async look(check: (picture: Picture) => void): Promise<Picture> {
    return this.#retry(async () => {
      const { stdout } = await run("import", ["-silent", "-window", "root", "-depth", "8", "rgb:-"], {
        env: this.#env,
        encoding: "buffer",
        maxBuffer: 2 ** 24,
      });
      const picture = new Picture(stdout);
      check(picture);
      return picture;
    });
  }

  async close(): Promise<void> {
    if (this.#program) await kill(this.#program);
    // SIGTERM lets it remove its lock and its socket.
    const ended = once(this.#screen, "exit");
    this.#screen.kill("SIGTERM");
    await ended;
  }

  /** Waits for a window. @param title Regular expression. @returns Its number. */
  async #window(title: string): Promise<string> {
    return this.#retry(async () => {
      const found = await this.#find(title);
      if (!found) throw new Error(`XyGrib has no window ${title}`);
      return found;
    });
  }

  async #find(title: string): Promise<string | undefined> {
    // The status is 1 where there is no such window.
    const found = await this.#xdotool("search", "--onlyvisible", "--name", title).catch(() => "");
    return found.trim().split("\n").at(-1) || undefined;
  }

  /** Presses a key in a window. Without a window manager the focus is wherever it was set last. */
  async #press(window: string, key: string): Promise<void> {
    await this.#xdotool("windowfocus", "--sync", window, "key", key);
  }

  async #xdotool(...args: (string | number)[]): Promise<string> {
    const { stdout } = await run("xdotool", args.map(String), { env: this.#env });
    return stdout;
  }

  /** Repeats what fails until it succeeds. @throws Its last failure; the end of XyGrib, or an error that it shows. */
  async #retry<Result>(action: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    while (true) {
      try {
        return await action();
      } catch (error) {
        const { exitCode, signalCode } = this.#program!;
        if (exitCode !== null || signalCode !== null)
          throw new Error(`XyGrib ended with ${exitCode ?? signalCode}:\n${this.#output}`, { cause: error });
        if (await this.#find("^Error$")) throw new Error("XyGrib shows an error", { cause: error });
        if (performance.now() - begun > PATIENCE_MS) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}

/**
 * The settings that a person makes in dialogs: the system's proxy, all that the service has of GFS and WW3, and a map of
 * the eastern Atlantic Ocean that stays where it is when a file is opened.
 */
function settings(files: string): string {
  const off = [
    ...["autoZoomOnGribArea", "showMETARs", "showPOIs"],
    ...[
      "Humid",
      "Isotherm0",
      "SnowDepth",
      "SnowCateg",
      "FrzRainCateg",
      "CAPEsfc",
      "CINsfc",
      "Reflectivity",
    ].map((name) => `download${name}`),
  ];
  const on = [
    "httpUseProxy",
    ...["Wind", "Pressure", "Rain", "Cloud", "Temp", "GUSTsfc", "WaveSwell", "WaveWind"].map(
      (name) => `download${name}`,
    ),
    // XyGrib itself spells it so.
    "downoadWaveSig",
  ];
  return `[main]
appLanguage=en
gribFilePath=${files}
httpProxyType=0
mainWindowPos=@Point(0 0)
mainWindowSize=@Size(${WIDTH} ${HEIGHT})
projectionCX=-25
projectionCY=45
projectionScale=10
downloadIndModel=1
downloadIndWaveModel=1
downloadIndResolution=1
downloadIndInterval=1
downloadIndNbDays=0
${on.map((name) => `${name}=true`).join("\n")}
${off.map((name) => `${name}=false`).join("\n")}
`;
}
