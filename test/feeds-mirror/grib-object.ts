import { LRUCache } from "lru-cache";
import { landOf } from "./analytic.ts";
import { distorted } from "./distortions.ts";
import {
  type Centre,
  type Ensemble,
  type FileGrid,
  gribMessage,
  messageLength,
  type Parameter,
  type Validity,
} from "./grib-message.ts";
import { packJpeg2000 } from "./pack-jpeg2000.ts";
import { packSimple, quantise, simpleLength } from "./pack-simple.ts";
import { nodesOf } from "./planet.ts";
import { cutPieces, type Piece, textPiece, type Variant } from "./published.ts";
import type { Nodes } from "./wave-forms.ts";

export interface GribField {
  /** Words of an index: "UGRD", "10 m above ground", "7 hour fcst"; or "10u", "sfc", "7". */
  element: string;
  level: string;
  window: string;
  parameter: Parameter;
  validity: Validity;
  ensemble?: Ensemble;
  /** Decimal digits kept. */
  decimals: number;
  /** Where the field has values; "varies" if this changes with time. */
  there: "everywhere" | "sea" | "varies";
  /** Values in the unit of the file; missing is NaN. */
  values(nodes: Nodes): Float64Array;
}

export interface GribFile {
  /** Name of this content, for the cache. */
  key: string;
  centre: Centre;
  grid: FileGrid;
  fields: readonly GribField[];
  /** Packing like NCEP's waves; otherwise simple packing. */
  packing?: "jpeg2000" | undefined;
}

/** Cache of packed messages, 96 MiB. */
const made = new LRUCache<string, Uint8Array>({
  maxSize: 96 * 2 ** 20,
  sizeCalculation: ({ length }) => length,
});

const seaNodes = new WeakMap<Nodes, number>();

function seaCount(nodes: Nodes): number {
  const found = seaNodes.get(nodes) ?? landOf(nodes).reduce((sum, land) => sum + 1 - land, 0);
  seaNodes.set(nodes, found);
  return found;
}

/** The messages of a file. Each is packed when it is read. */
export function gribPieces(file: GribFile, variant: Variant): readonly Piece[] {
  const pieces = inOrder(file, variant).map((field) => messagePiece(file, field, variant));
  return cutPieces(pieces, variant.whole);
}

/** Order of the fields, which differs in an object that is uploaded again. */
function inOrder({ fields }: GribFile, { revision, lacks }: Variant): readonly GribField[] {
  const there = fields.filter(({ element }) => !lacks.includes(element));
  return revision % 2 === 1 ? there.toReversed() : there;
}

function messagePiece(file: GribFile, field: GribField, variant: Variant): Piece {
  const nodes = nodesOf(file.grid);
  const count = nodes.latitudes.length * nodes.longitudes.length;
  const key = `${file.key}:${file.grid.columns}:${variant.distortion}:${field.element}:${field.level}:${field.window}:${field.ensemble?.part}`;
  const bytes = () => {
    const found = made.get(key);
    if (found) return found;
    const values = distorted(field.values(nodes), nodes.longitudes.length, variant.distortion);
    const quantised = quantise(values, field.decimals);
    const message = gribMessage(
      file.centre,
      file.grid,
      field.parameter,
      field.validity,
      file.packing === "jpeg2000" ? packJpeg2000(quantised) : packSimple(quantised),
      field.ensemble,
    );
    made.set(key, message);
    return message;
  };
  const isPredictable =
    file.packing === undefined && variant.distortion === undefined && field.there !== "varies";
  return {
    bytes,
    // With simple packing an index needs no values.
    length: () =>
      isPredictable
        ? messageLength(
            field.validity,
            simpleLength(count, field.there === "sea" ? seaCount(nodes) : count),
            field.ensemble,
          )
        : bytes().length,
  };
}

/** Fields with the offsets of their messages, in the order of a variant of the file. */
export function entries(
  file: GribFile,
  variant: Variant,
): { field: GribField; offset: number; length: number }[] {
  const pieces = gribPieces(file, variant);
  const fields = inOrder(file, variant);
  let offset = 0;
  return pieces.map((piece, i) => {
    const length = piece.length();
    offset += length;
    return { field: fields[i]!, offset: offset - length, length };
  });
}

/** The word by which wgrib2 names the part of an ensemble. */
function wordOf({ ensemble }: GribField): string {
  if (!ensemble) return "";
  const { part } = ensemble;
  if (typeof part !== "number") return `ens ${part}`;
  return part === 0 ? "ENS=low-res ctl" : `ENS=+${part}`;
}

/** The index that wgrib2 writes: `n:offset:d=YYYYMMDDHH:ELEMENT:LEVEL:WINDOW:`. */
export function wgrib2Index(file: GribFile, variant: Variant): Piece {
  const lines = entries(file, variant).map(({ field, offset }, i) => {
    const date = new Date(field.validity.cycle * 1000).toISOString().replace(/\D/g, "").slice(0, 10);
    return `${i + 1}:${offset}:d=${date}:${field.element}:${field.level}:${field.window}:${wordOf(field)}\n`;
  });
  return textPiece(lines.join(""), variant.wholeIndex);
}
