/**
 * Writes server/tides/stream-bins.data.ts: depth, and mean directions of flood and ebb, of NOAA's stations of tidal
 * streams. The tide database has only the axis along which a stream was analysed, and no depth. NOAA's numbers (public
 * domain) are in XTide's harmonics-dwf-20210110-free.tcd (D. Flater), which `restore_tide_db <file>.tcd out`
 * (tcd-utils) converts to out.txt and out.xml: `node scripts/build-stream-bins.ts out`. The result is committed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { type Station, stations } from "@neaps/tide-database";

/** A bin: one depth of a station. */
interface Bin {
  station: string;
  bin: number;
  /** Feet. */
  depth: number | null;
  flood: number | null;
  ebb: number | null;
  /** Numbers that identify the database's station among the bins: constituents, or differences. */
  marks: readonly number[];
}

/** Two bins of a station differ by more than this in at least one of these numbers, knots or hours. */
const SAME = 0.002;

const MAIN = ["M2", "S2", "N2", "K1", "O1"];

const numberOrNull = (text: string | undefined) => (text === undefined ? null : Number(text));

const [base = "out"] = process.argv.slice(2);
const read = (ending: string) => readFileSync(`${base}.${ending}`, "latin1");
const bins = [...referenceBins(read("txt")), ...subordinateBins(read("xml"))];

const rows = stations
  .filter(({ id, kind }) => kind !== "tide" && id.startsWith("noaa/"))
  .flatMap((station) => {
    const [id = "", number] = station.id.slice("noaa/".length).split("@");
    const wanted = marksOf(station);
    const found = bins.filter(
      (bin) =>
        bin.station === id &&
        (number === undefined || bin.bin === Number(number)) &&
        bin.marks.length === wanted.length &&
        bin.marks.every((mark, at) => Math.abs(mark - wanted[at]!) <= SAME),
    );
    if (found.length !== 1) return [];
    const { bin, depth, flood, ebb } = found[0]!;
    return [[station.id.slice("noaa/".length), [bin, depth, flood, ebb]] as const];
  });

writeFileSync(
  new URL("../server/tides/stream-bins.data.ts", import.meta.url),
  "/** Made by scripts/build-stream-bins.ts from numbers of NOAA (public domain): bin, depth in feet, directions of flood and ebb TO. */\n" +
    "export const streamBins: Readonly<Record<string, readonly [number, number | null, number | null, number | null]>> = JSON.parse(\n" +
    `  '${JSON.stringify(Object.fromEntries(rows))}',\n);\n`,
);
console.log(`${rows.length} stations`);

function marksOf({ current, harmonic_constituents: all }: Station): number[] {
  const { offsets, mean_flow = 0 } = current!;
  if (!offsets)
    return [mean_flow, ...MAIN.map((name) => all.find((one) => one.name === name)?.amplitude ?? 0)];
  const minutes = [
    offsets.flood_time,
    offsets.ebb_time,
    offsets.slack_before_flood,
    offsets.slack_before_ebb,
  ];
  return [
    ...minutes.map((value) => (value ?? 0) / 60),
    offsets.flood_speed_ratio ?? 1,
    offsets.ebb_speed_ratio ?? 1,
  ];
}

/** Formats `PUG1701_33` and `(depth 18 ft)`. */
function named(id: string, name: string) {
  const [station = "", bin = "1"] = id.split("_");
  const feet = /\(depth (\d+) ft\)/.exec(name)?.[1];
  return { station, bin: Number(bin), depth: feet === undefined ? null : Number(feet) };
}

/**
 * Stations with constituents: comments that begin with `#`, the name, the time zone, the mean, and the constituents.
 */
function referenceBins(text: string): Bin[] {
  const about = (block: string, name: string) => new RegExp(`^# ${name}: (.*)$`, "m").exec(block)?.[1];
  return [...text.matchAll(/((?:^#.*\n)+)(.+)\n.*\n(-?[\d.]+) knots\n((?:^[^#].*\n)*)/gm)].flatMap(
    ([, head = "", name = "", mean = "", lines = ""]) => {
      const id = about(head, "station_id");
      if (!id) return [];
      const amplitude = (constituent: string) =>
        Number(new RegExp(`^${constituent} +([\\d.]+)`, "m").exec(lines)?.[1] ?? 0);
      const [flood, ebb] = ["max_direction", "min_direction"].map((one) => numberOrNull(about(head, one)));
      return [
        { ...named(id, name), flood: flood!, ebb: ebb!, marks: [Number(mean), ...MAIN.map(amplitude)] },
      ];
    },
  );
}

/** Stations with differences to another station. */
function subordinateBins(text: string): Bin[] {
  const hours = (time = "0") => {
    const [, sign, hour, minute] = /^([+-]?)(\d+):(\d+)/.exec(time) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hour ?? 0) + Number(minute ?? 0) / 60);
  };
  return [...text.matchAll(/<subordinatestation name="([^"]*)"(.*?)<\/subordinatestation>/gs)].flatMap(
    ([, name = "", body = ""]) => {
      const id = /station_id="([^"]*)"/.exec(body)?.[1];
      if (!id || !name.endsWith("Current")) return [];
      const part = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(body)?.[1] ?? "";
      const value = (text: string, tag: string) => new RegExp(`<${tag} value="([^"]*)"`).exec(text)?.[1];
      const [most, least] = [part("max"), part("min")];
      return [
        {
          ...named(id, name),
          flood: numberOrNull(value(most, "direction")),
          ebb: numberOrNull(value(least, "direction")),
          marks: [
            ...[value(most, "timeadd"), value(least, "timeadd")].map(hours),
            ...[value(body, "floodbegins"), value(body, "ebbbegins")].map(hours),
            ...[most, least].map((side) => Number(value(side, "levelmultiply") ?? 1)),
          ],
        },
      ];
    },
  );
}
