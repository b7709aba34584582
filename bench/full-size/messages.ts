import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { codedValues, packComplex } from "@open-metocean/grib2/packing";
import { randomWaves } from "#bench/weather-like.ts";
import { gfsFields, gfsWaveFields } from "#test/feeds-mirror/forecast-fields.ts";
import type { PackedSections } from "#test/feeds-mirror/grib-message.ts";
import type { GribField } from "#test/feeds-mirror/grib-object.ts";
import { packJpeg2000 } from "#test/feeds-mirror/pack-jpeg2000.ts";
import { bitmapSection, dataSection, quantise } from "#test/feeds-mirror/pack-simple.ts";
import { globe, nodesOf } from "#test/feeds-mirror/planet.ts";

/** Number of states of the weather, an hour apart, from which the messages of all steps are made. */
export const STATES = 16;
export type Kind = "atmosphere" | "waves";

/** Small waves on the smooth form of a field, which give a message about as many bytes as the real one. */
interface Texture {
  /** Exponent with which amplitude grows with wavelength. */
  slope: number;
  /** Amplitude in the unit of the file. */
  amplitude: number;
  decimals: number;
  /** Hours in which the smallest waves change. */
  hours: number;
  least?: number;
  most?: number;
  /** Replaces the smooth form with waves. @param deviate Normal deviate. */
  value?: (deviate: number) => number;
}

const wind: Texture = { slope: 0.6, amplitude: 6, decimals: 2, hours: 6 };
const height: Texture = { slope: 0.9, amplitude: 0.5, decimals: 2, hours: 12, least: 0.02 };
const period: Texture = { slope: 0.8, amplitude: 0.8, decimals: 2, hours: 12, least: 1.5 };
const bearing: Texture = { slope: 0.9, amplitude: 30, decimals: 1, hours: 12 };

/** Textures of the messages that the feeds want, by the element of the index. */
const textures: Readonly<Record<string, Texture>> = {
  UGRD: wind,
  VGRD: wind,
  GUST: { slope: 0.5, amplitude: 8, decimals: 1, hours: 6, least: 0 },
  TMP: { slope: 0.8, amplitude: 9, decimals: 1, hours: 6 },
  PRMSL: { slope: 1.4, amplitude: 900, decimals: 1, hours: 6 },
  PRATE: {
    slope: 0.5,
    amplitude: 1,
    decimals: 6,
    hours: 6,
    value: (x) => (2 * Math.max(0, x - 1) ** 2) / 3600,
  },
  CAPE: { slope: 0.6, amplitude: 350, decimals: 0, hours: 6, least: 0 },
  TCDC: { slope: 0.6, amplitude: 60, decimals: 1, hours: 6, least: 0, most: 100 },
  HTSGW: { ...height, amplitude: 1 },
  WVHGT: height,
  SWELL: height,
  PERPW: { ...period, amplitude: 1.5 },
  WVPER: period,
  SWPER: period,
  DIRPW: bearing,
  WVDIR: bearing,
  SWDIR: bearing,
};

const STEP = 0.25;
export const fileGrid = globe(STEP, 0);
const grid: Grid = {
  latitude: { start: -90, step: STEP, count: fileGrid.rows },
  longitude: { start: 0, step: STEP, count: fileGrid.columns },
};

/** Whether a field of a step is served with values. Other fields of `fieldsOf` have zeros. */
export function isWanted(kind: Kind, { element, level, window }: GribField): boolean {
  if (!(element in textures) || window.includes("ave")) return false;
  if (kind === "waves") return !["UGRD", "VGRD"].includes(element);
  if (element === "CAPE") return level === "255-0 mb above ground";
  return element !== "TMP" || level === "2 m above ground";
}

/** @param cycle Unix seconds. @param lead Hours. */
export function fieldsOf(kind: Kind, cycle: number, lead: number): GribField[] {
  return kind === "waves" ? gfsWaveFields(cycle, lead) : gfsFields(cycle, lead);
}

/** The file with sections 5 to 7 of a message in one state. */
export function messageFile(
  folder: string,
  kind: Kind,
  { element, level }: GribField,
  state: number,
): string {
  return path.join(folder, kind, `${element}-${level.replaceAll(/\W+/g, "-")}-${state}`);
}

/** Makes the messages of all states that the folder lacks, which takes minutes the first time. */
export async function makeMessages(folder: string, log: (line: string) => void): Promise<void> {
  const start = Date.UTC(2026, 8, 1) / 1000;
  for (const kind of ["atmosphere", "waves"] as const) {
    mkdirSync(path.join(folder, kind), { recursive: true });
    const seeds = new Map<string, (hour: number) => Float32Array>();
    // The lead is not 0, so that every window has begun.
    for (const [index, field] of fieldsOf(kind, start, 6).entries()) {
      if (!isWanted(kind, field)) continue;
      for (let state = 0; state < STATES; state++) {
        const file = messageFile(folder, kind, field, state);
        if (!existsSync(file)) {
          const texture = textures[field.element]!;
          // Winds at all heights turn together.
          const seed = texture === wind ? field.element : `${field.element} ${field.level}`;
          const waves = seeds.get(seed) ?? randomWaves(grid, texture.slope, texture.hours, crc32(seed));
          seeds.set(seed, waves);
          const later = fieldsOf(kind, start, 6 + state)[index]!;
          const values = textured(later, texture, waves(state));
          const sections = packed(kind, values, texture.decimals);
          writeFileSync(`${file}.new`, Buffer.concat(sections));
          renameSync(`${file}.new`, file);
          if (state === 0)
            log(
              `making ${kind}: ${field.element} ${field.level}, ${(statSync(file).size / 1e3).toFixed(0)} kB`,
            );
        }
      }
    }
  }
}

/** Packs values as NCEP does: waves by JPEG 2000, the atmosphere by second differences. */
function packed(kind: Kind, values: Float64Array, decimals: number): PackedSections {
  if (kind === "waves") return packJpeg2000(quantise(values, decimals));
  // The values are one row, because they are in the order of the file.
  const coded = codedValues(values, values.length, decimals);
  const { representation, data } = packComplex(coded);
  return [representation.section(5), bitmapSection(coded), dataSection(data)];
}

function textured(field: GribField, texture: Texture, waves: Float32Array): Float64Array {
  const { amplitude, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, value } = texture;
  const values = field.values(nodesOf(fileGrid));
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    const sum = value ? value(waves[i]!) : values[i]! + amplitude * waves[i]!;
    values[i] = texture === bearing ? (sum + 720) % 360 : Math.min(most, Math.max(least, sum));
  }
  return values;
}
