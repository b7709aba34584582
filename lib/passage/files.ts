import type { passageMediaTypes } from "#lib/contract/media-types.ts";
import {
  type PassageMeta,
  type PassagePiece,
  type PassagePlan,
  passagePiece,
  passageTotals,
} from "#lib/contract/passage-reply.ts";
import { geojsonPieces } from "#lib/table/geojson.ts";
import { type About, aboutOf, type Column, pointOutputs, type Table } from "#lib/table/table.ts";
import { csvPieces } from "#lib/table/text.ts";
import { parseInstant } from "#lib/time.ts";
import { passageGpx } from "./gpx.ts";
import { passageNetcdf } from "./netcdf.ts";

/** An answer of POST /passages/evaluate. */
export interface PassageAnswer {
  plans: readonly PassagePlan[];
  meta: PassageMeta;
  synthetic?: boolean;
}

type Pieces = Generator<Uint8Array, void, undefined>;

/** The formats of passages besides JSON, by media type. */
export const passageFormats: Readonly<
  Record<(typeof passageMediaTypes)[number], (answer: PassageAnswer) => Pieces>
> = {
  "text/csv": (answer) => csvPieces(passageTable(answer)),
  "application/x-netcdf": (answer) => passageNetcdf(answer.plans, aboutPassages(answer)),
  "application/geo+json": (answer) => geojsonPieces(passageTable(answer)),
  "application/gpx+xml": (answer) => passageGpx(answer.plans, aboutPassages(answer)),
};

/** Where the numbers come from, and what they do not know. */
export function aboutPassages({ meta, synthetic }: Omit<PassageAnswer, "plans">): About {
  const about = aboutOf({ provenance: meta.provenance, synthetic });
  const [, ...knowledge] = meta.knowledge;
  return { ...about, notice: [about.notice, ...knowledge].join(". ") };
}

/** One row a piece; where an answer has none, one a departure, at its end. */
export function passageTable(answer: PassageAnswer): Table {
  const about = aboutPassages(answer);
  const rows = answer.plans.flatMap((plan) => (plan.pieces ?? []).map((piece) => ({ plan, piece })));
  return answer.plans.some(({ pieces }) => pieces)
    ? { rows: rows.length, about, columns: pieceColumns(rows) }
    : { rows: answer.plans.length, about, columns: planColumns(answer.plans) };
}

/** Columns of numbers, by the fields of a schema that have one. */
function numbers<Row extends object>(
  shape: Readonly<Record<string, { description?: string | undefined }>>,
  rows: readonly Row[],
): Column[] {
  const names = Object.keys(shape).filter((name) =>
    rows.some((row) => typeof (row as Record<string, unknown>)[name] === "number"),
  );
  return names.map((name) => ({
    name,
    title: shape[name]!.description ?? name,
    kind: "number",
    value: (row) => (rows[row] as Record<string, number | null>)[name] ?? Number.NaN,
  }));
}

function text(name: string, title: string, of: (row: number) => string): Column {
  return { name, title, kind: "text", value: () => Number.NaN, text: of };
}

function passing(of: (row: number) => PassagePlan["end"]): Column[] {
  return [
    { name: "latitude", unit: "°", title: "degrees north", kind: "number", value: (row) => of(row).latitude },
    {
      name: "longitude",
      unit: "°",
      title: "degrees east",
      kind: "number",
      value: (row) => of(row).longitude,
    },
    {
      name: "timestamp",
      title: "time, UTC",
      kind: "instant",
      value: (row) => parseInstant(of(row).timestamp),
      text: (row) => of(row).timestamp,
    },
  ];
}

function pieceColumns(rows: readonly { plan: PassagePlan; piece: PassagePiece }[]): Column[] {
  const pieces = rows.map(({ piece }) => piece);
  const conditions = Object.keys(pieces[0]?.conditions ?? {});
  return [
    ...passing((row) => pieces[row]!.at),
    text("departure", "departure", (row) => rows[row]!.plan.departure),
    text("mode", "how the vessel moves", (row) => pieces[row]!.mode),
    ...numbers(passagePiece.shape, pieces),
    text("comfort", "comfort", (row) => pieces[row]!.comfort ?? ""),
    text("flags", "what the piece is marked with", (row) => pieces[row]!.flags.join(" ")),
    ...conditions.map((name): Column => {
      const { unit, title } = pointOutputs.get(name) ?? { unit: "", title: name };
      const value = (row: number) => pieces[row]!.conditions[name] ?? Number.NaN;
      return { name, unit, title, kind: "number", value };
    }),
  ];
}

function planColumns(plans: readonly PassagePlan[]): Column[] {
  return [
    ...passing((row) => plans[row]!.end),
    text("departure", "departure", (row) => plans[row]!.departure),
    text("arrival", "arrival", (row) => plans[row]!.arrival ?? ""),
    text("verdict", "verdict", (row) => plans[row]!.verdict),
    text("decided_by", "what decided", (row) => plans[row]!.deciding?.by ?? ""),
    text("arrival_light", "light at arrival", (row) => plans[row]!.arrival_light ?? ""),
    ...numbers(
      passageTotals.shape,
      plans.map(({ totals }) => totals),
    ),
  ];
}
