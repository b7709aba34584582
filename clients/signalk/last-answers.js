// @ts-check
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Side of a cell, degrees. One request answers for all positions in it. */
const CELL_DEG = 0.1;

/** How far away an answer may be that is used for a position of which there is none, n mi. */
const MAX_AWAY_NM = 60;

/** Files that are kept. */
const MAX_FILES = 200;

/**
 * @typedef {{ latitude: number, longitude: number }} Position
 *
 * @typedef {object} Kept What is on disk for one kind and cell. Times are Unix time, milliseconds.
 * @property {number} asked When the service was asked last, with or without success.
 * @property {number} notBefore When it may be asked again.
 * @property {string} [problem] Why the last request had no answer.
 * @property {{ position: Position, received: number, reply: any }} [last] The last answer.
 *
 * @typedef {object} Answer
 * @property {any} reply What the service said.
 * @property {string} [old] In words, where it is not the answer to the last request, or for another place.
 */

/**
 * The last answers of a service, on disk. The service is asked at most once an hour (or less often) for each kind and cell,
 * also where it does not answer, whatever is asked of this, and across restarts.
 */
export class LastAnswers {
  #folder;
  #everyMs;
  #now;
  #report;
  /** @type {Map<string, Kept>} What was asked since the start: holds also where the disk is full. */
  #kept = new Map();
  /** @type {Map<string, Promise<Kept>>} Requests that are under way. */
  #asking = new Map();

  /**
   * @param {object} options
   * @param {string} options.folder
   * @param {number} options.everyMs
   * @param {() => number} options.now Unix time, milliseconds.
   * @param {(problem: string | undefined) => void} options.report Told after each request.
   */
  constructor({ folder, everyMs, now, report }) {
    this.#folder = folder;
    this.#everyMs = everyMs;
    this.#now = now;
    this.#report = report;
  }

  /**
   * @param {string} kind
   * @param {Position} position Longitudes of 0..360 are taken too.
   * @param {(place: Position) => Promise<any>} ask
   * @returns {Promise<Answer>}
   * @throws {Error} Where nothing is known of the position or any place near it.
   */
  async answer(kind, position, ask) {
    const place = normalised(position);
    const name = nameOf(kind, place);
    const asking = this.#asking.get(name) ?? this.#askIfDue(name, place, ask);
    this.#asking.set(name, asking);
    const kept = await asking.finally(() => this.#asking.delete(name));
    const { last, problem } = kept;
    if (last) {
      const old = problem === undefined ? undefined : `Old: received ${iso(last.received)}. ${problem}`;
      return { reply: last.reply, old };
    }
    const near = await this.#nearest(kind, place);
    if (!near) throw new Error(`${problem}; next request at ${iso(kept.notBefore)}`);
    const { latitude, longitude } = near.position;
    const where = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}, ${Math.round(awayNm(place, near.position))} n mi away`;
    return { reply: near.reply, old: `Old: received ${iso(near.received)} for ${where}. ${problem}` };
  }

  /** @param {string} name @param {Position} place @param {(place: Position) => Promise<any>} ask */
  async #askIfDue(name, place, ask) {
    const before = this.#kept.get(name) ?? (await this.#read(name));
    const now = this.#now();
    // A clock that was set back must not keep it silent.
    if (before && now < before.notBefore && now >= before.asked - this.#everyMs) return before;
    const kept = await this.#ask(before?.last, place, ask);
    this.#kept.set(name, kept);
    while (this.#kept.size > MAX_FILES)
      this.#kept.delete(/** @type {string} */ (this.#kept.keys().next().value));
    await this.#write(name, kept);
    return kept;
  }

  /**
   * @param {Kept["last"]} last
   * @param {Position} position
   * @param {(place: Position) => Promise<any>} ask
   * @returns {Promise<Kept>}
   */
  async #ask(last, position, ask) {
    const asked = this.#now();
    const notBefore = asked + this.#everyMs;
    try {
      const reply = await ask(position);
      this.#report(undefined);
      return { asked, notBefore, last: { position, received: asked, reply } };
    } catch (error) {
      const problem = describe(error);
      this.#report(problem);
      const retryAfterS = /** @type {any} */ (error).retryAfterS ?? 0;
      return { asked, notBefore: Math.max(notBefore, asked + 1000 * retryAfterS), problem, last };
    }
  }

  /** The answer of that kind that was received for the nearest place. @param {string} kind @param {Position} place */
  async #nearest(kind, place) {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.startsWith(`${kind}_`));
    const near = names
      .map((name) => ({ name, nm: awayNm(place, cellOf(name)) }))
      .filter(({ nm }) => nm <= MAX_AWAY_NM)
      .sort((one, other) => one.nm - other.nm);
    for (const { name } of near) {
      const last = (await this.#read(name))?.last;
      if (last) return last;
    }
  }

  /** @param {string} name @returns {Promise<Kept | undefined>} */
  async #read(name) {
    try {
      return JSON.parse(await readFile(path.join(this.#folder, name), "utf8"));
    } catch {
      // Not there, or damaged: as if nothing had been asked.
      return undefined;
    }
  }

  /** @param {string} name @param {Kept} kept */
  async #write(name, kept) {
    const file = path.join(this.#folder, name);
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(`${file}.new`, JSON.stringify(kept));
      await rename(`${file}.new`, file);
      await this.#removeOldest();
    } catch (error) {
      this.#report(`The answer could not be stored: ${describe(error)}`);
    }
  }

  async #removeOldest() {
    const names = await readdir(this.#folder);
    if (names.length <= MAX_FILES) return;
    const files = names.map((name) => path.join(this.#folder, name));
    const aged = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
    aged.sort((one, other) => one.at - other.at);
    await Promise.all(aged.slice(0, -MAX_FILES).map(({ file }) => rm(file, { force: true })));
  }
}

/** @param {Position} position @returns {Position} Longitude in −180..180. */
function normalised({ latitude, longitude }) {
  if (!(Math.abs(latitude) <= 90) || !Number.isFinite(longitude)) throw new Error("This is not a position");
  return { latitude, longitude: ((((longitude + 180) % 360) + 360) % 360) - 180 };
}

/** @param {string} kind @param {Position} place @returns The file of its cell. */
function nameOf(kind, { latitude, longitude }) {
  const index = (/** @type {number} */ degrees) => Math.floor(degrees / CELL_DEG);
  return `${kind}_${index(latitude)}_${index(longitude)}.json`;
}

/** The middle of a file's cell. @param {string} name @returns {Position} */
function cellOf(name) {
  const [latitude = 0, longitude = 0] = name
    .replace(".json", "")
    .split("_")
    .slice(1)
    .map((index) => (Number(index) + 0.5) * CELL_DEG);
  return { latitude, longitude };
}

/** Great-circle distance, n mi. @param {Position} one @param {Position} other */
function awayNm(one, other) {
  const rad = Math.PI / 180;
  const [a, b] = [one.latitude * rad, other.latitude * rad];
  const half =
    Math.sin((b - a) / 2) ** 2 +
    Math.cos(a) * Math.cos(b) * Math.sin(((other.longitude - one.longitude) * rad) / 2) ** 2;
  return (120 / rad) * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** @param {unknown} error */
function describe(error) {
  const { message, cause } = /** @type {Error & { cause?: Error }} */ (error);
  return cause?.message ? `${message}: ${cause.message}` : message;
}

/** @param {number} ms */
function iso(ms) {
  return new Date(ms).toISOString();
}
