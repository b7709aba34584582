import type { passageMediaTypes } from "#lib/contract/media-types.ts";
import {
  type PassageMeta,
  type PassagePiece,
  type PassagePlan,
  passagePiece,
  passagePlan,
  passageTotals,
  pieceFlags,
} from "#lib/contract/passage-reply.ts";
import { escapeMarkup, PASSAGE_NAMESPACE } from "#lib/markup.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import {
  attributesOf,
  axes,
  globalsOf,
  type NetcdfColumn,
  type NetcdfContent,
  netcdfPieces,
} from "#lib/table/netcdf.ts";
import {
  type About,
  aboutOf,
  type Column,
  place,
  pointOutputs,
  type Table,
  timestamps,
} from "#lib/table/table.ts";
import { csvPieces, geojsonPieces } from "#lib/table/text.ts";
import { parseInstant } from "#lib/time.ts";
import { limitNames } from "./limits.ts";
import { lights } from "./piece-state.ts";
import { causes, comforts, verdicts } from "./verdict.ts";
import { modes } from "./vessel.ts";

export interface PassageAnswer {
  plans: readonly PassagePlan[];
  meta: PassageMeta;
  synthetic?: boolean;
}

type Pieces = Generator<Uint8Array, void, undefined>;

export const passageFormats: Readonly<
  Record<(typeof passageMediaTypes)[number], (answer: PassageAnswer) => Pieces>
> = {
  "text/csv": (answer) => csvPieces(passageTable(answer)),
  "application/x-netcdf": (answer) => passageNetcdf(answer.plans, aboutPassages(answer)),
  "application/geo+json": (answer) => geojsonPieces(passageTable(answer)),
  "application/gpx+xml": (answer) => passageGpx(answer.plans, aboutPassages(answer)),
};

/** Describes the source of the numbers and what they leave out. */
function aboutPassages({ meta, synthetic }: Omit<PassageAnswer, "plans">): About {
  const about = aboutOf({ provenance: meta.provenance, synthetic });
  const [, ...knowledge] = meta.knowledge;
  return { ...about, notice: [about.notice, ...knowledge].join(". ") };
}

/** One row per piece; for an answer without pieces, one row per departure with the values at its end. */
function passageTable(answer: PassageAnswer): Table {
  const about = aboutPassages(answer);
  const rows = answer.plans.flatMap((plan) => (plan.pieces ?? []).map((piece) => ({ plan, piece })));
  return answer.plans.some(({ pieces }) => pieces)
    ? { rows: rows.length, about, columns: pieceColumns(rows) }
    : { rows: answer.plans.length, about, columns: planColumns(answer.plans) };
}

type Described = Readonly<Record<string, { description?: string | undefined }>>;

const field = (row: object, name: string) => (row as Record<string, number | null | undefined>)[name];

/** Name and title of the fields of a schema that have a number in some row. */
function numberFields(shape: Described, rows: readonly object[]): { name: string; title: string }[] {
  return Object.entries(shape)
    .filter(([name]) => rows.some((row) => typeof field(row, name) === "number"))
    .map(([name, { description: title = name }]) => ({ name, title }));
}

function numbers(shape: Described, rows: readonly object[]): Column[] {
  return numberFields(shape, rows).map(({ name, title }) => ({
    name,
    title,
    kind: "number",
    value: (row) => field(rows[row]!, name) ?? Number.NaN,
  }));
}

function text(name: string, title: string, of: (row: number) => string): Column {
  return { name, title, kind: "text", value: () => Number.NaN, text: of };
}

function passing(of: (row: number) => PassagePlan["end"]): Column[] {
  return [
    place("latitude", (row) => of(row).latitude),
    place("longitude", (row) => of(row).longitude),
    timestamps(
      (row) => parseInstant(of(row).timestamp),
      (row) => of(row).timestamp,
    ),
  ];
}

function pieceColumns(rows: readonly { plan: PassagePlan; piece: PassagePiece }[]): Column[] {
  const pieces = rows.map(({ piece }) => piece);
  const conditions = Object.keys(pieces[0]?.conditions ?? {});
  return [
    ...passing((row) => pieces[row]!.at),
    ...modelColumn(rows.map(({ plan }) => plan)),
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

/** The model of each row; no column if the request names none. */
function modelColumn(plans: readonly PassagePlan[]): Column[] {
  if (plans[0]?.model === undefined) return [];
  return [text("model", "model that plans", (row) => plans[row]!.model ?? "")];
}

function planColumns(plans: readonly PassagePlan[]): Column[] {
  return [
    ...passing((row) => plans[row]!.end),
    ...modelColumn(plans),
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

const utf8 = new TextEncoder();

/**
 * Writes plans as GPX 1.1: one route per departure, with points where and when the pieces begin and end;
 * `extensions` of a point describe the piece that follows. A plan without pieces is a waypoint at its end.
 */
function* passageGpx(plans: readonly PassagePlan[], about: About): Generator<Uint8Array, void, undefined> {
  yield utf8.encode(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<gpx version="1.1" creator="${SERVICE_NAME}" xmlns="http://www.topografix.com/GPX/1/1" xmlns:met="${PASSAGE_NAMESPACE}">`,
      `<metadata><desc>${escapeMarkup([about.notice, about.provenance].join(". "))}</desc></metadata>`,
      "",
    ].join("\n"),
  );
  // GPX requires waypoints before routes.
  for (const plan of plans)
    if (!plan.pieces) yield utf8.encode(`<wpt ${placed(plan.end, described(plan))}</wpt>\n`);
  for (const plan of plans) if (plan.pieces) yield utf8.encode(routeOf(plan, plan.pieces));
  yield utf8.encode("</gpx>\n");
}

function routeOf(plan: PassagePlan, pieces: readonly PassagePiece[]): string {
  const points = pieces.map(
    (piece) => `<rtept ${placed(piece.start)}<extensions>${extension(piece)}</extensions></rtept>`,
  );
  return `<rte>${described(plan)}\n${points.join("\n")}\n<rtept ${placed(plan.end)}</rtept></rte>\n`;
}

/** Writes a point up to its extensions. @param inside Elements for its name and description. */
function placed({ latitude, longitude, timestamp }: PassagePlan["end"], inside = ""): string {
  return `lat="${latitude}" lon="${longitude}"><time>${timestamp}</time>${inside}`;
}

function described({ model, departure, arrival, verdict, deciding }: PassagePlan): string {
  const why = deciding ? ` (${deciding.by})` : "";
  const ends = arrival === null ? "does not arrive" : `arrives ${arrival}`;
  const name = model === undefined ? departure : `${departure} ${model}`;
  return `<name>${escapeMarkup(name)}</name><desc>${escapeMarkup(`${verdict}${why}, ${ends}`)}</desc>`;
}

function extension({ start, at, conditions, flags, nearest_limit, ...piece }: PassagePiece): string {
  const values = { ...piece, ...conditions, flags: flags.join(" "), weather_at: at.timestamp };
  const attributes = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [`${name}="${escapeMarkup(String(value))}"`],
  );
  return `<met:piece ${attributes.join(" ")}/>`;
}

type Read<Row> = (row: Row) => unknown;

/** UDUNITS names of units, by the suffix of the field name. */
const units: readonly [end: string, unit: string][] = [
  ["_kt", "knot"],
  ["_nm", "nautical_mile"],
  ["_deg", "degree"],
  ["_s", "s"],
  ["_m", "m"],
  ["_g", "9.80665 m s-2"],
  ["_ratio", "1"],
  ["_l", "litre"],
  ["_t", "tonne"],
];

const PLACE = "time latitude longitude";

/**
 * Plans as CF discrete sampling geometries. With pieces each plan is a trajectory (featureType trajectory,
 * contiguous ragged array): its pieces, at the places and times where the weather was read, follow those of
 * the previous plan, and `row_size` is their number; values for the whole plan have the dimension of plans.
 * Without pieces each plan is a point, at the place and time where it ends. Enumerated values are flags, -1
 * for none.
 */
function passageNetcdf(plans: readonly PassagePlan[], about: About): Generator<Uint8Array> {
  const withPieces = plans.some(({ pieces }) => pieces);
  return netcdfPieces(withPieces ? trajectories(plans, about) : ends(plans, about));
}

function trajectories(plans: readonly PassagePlan[], about: About): NetcdfContent {
  const pieces = plans.flatMap((plan) => plan.pieces ?? []);
  const one = columnsOf(plans, "trajectory");
  const each = columnsOf(pieces, "obs", PLACE);
  return {
    dimensions: [
      { name: "trajectory", length: plans.length },
      { name: "obs", length: pieces.length },
    ],
    attributes: { ...globalsOf(about), featureType: "trajectory" },
    variables: [
      {
        ...one.number(
          "trajectory",
          { cf_role: "trajectory_id", long_name: "position in the answer" },
          () => 0,
        ),
        isInt: true,
        value: (at) => at,
      },
      {
        ...one.number("row_size", { sample_dimension: "obs", long_name: "pieces of the plan" }, () => 0),
        isInt: true,
        value: (at) => plans[at]!.pieces?.length ?? 0,
      },
      ...ofPlan(one, plans),
      ...each.place(({ at }) => at),
      ...each.numbers(passagePiece.shape, (piece) => piece),
      each.flag("mode", modes, "how the vessel moves", ({ mode }) => mode),
      each.flag("comfort", comforts, "comfort", ({ comfort }) => comfort),
      each.masks("flags", pieceFlags, "what the piece is marked with", ({ flags }) => flags),
      ...Object.keys(pieces[0]?.conditions ?? {}).map((name) =>
        each.number(name, attributesOf(pointOutputs.get(name)), ({ conditions }) => conditions[name]),
      ),
    ],
  };
}

function ends(plans: readonly PassagePlan[], about: About): NetcdfContent {
  const one = columnsOf(plans, "plan", PLACE);
  return {
    dimensions: [{ name: "plan", length: plans.length }],
    attributes: { ...globalsOf(about), featureType: "point" },
    variables: [...one.place(({ end }) => end), ...ofPlan(one, plans)],
  };
}

/** Columns with the values for a whole plan. */
function ofPlan(
  one: ReturnType<typeof columnsOf<PassagePlan>>,
  plans: readonly PassagePlan[],
): NetcdfColumn[] {
  const models = [...new Set(plans.flatMap(({ model }) => model ?? []))];
  const { standard_name: _name, axis: _axis, ...instant } = axes.time;
  return [
    ...(models.length > 0 ? [one.flag("model", models, "model that plans", ({ model }) => model)] : []),
    one.number("departure", { ...instant, long_name: "departure" }, ({ departure }) =>
      parseInstant(departure),
    ),
    one.number(
      "arrival",
      { _FillValue: Number.NaN, ...instant, long_name: "arrival" },
      ({ arrival }) => arrival && parseInstant(arrival),
    ),
    one.flag("verdict", verdicts, passagePlan.shape.verdict.description!, ({ verdict }) => verdict),
    one.flag("decided_by", [...limitNames, ...causes], "what decided", ({ deciding }) => deciding?.by),
    one.flag("arrival_light", lights, "light at arrival", ({ arrival_light }) => arrival_light),
    ...one.numbers(passageTotals.shape, ({ totals }) => totals),
  ];
}

/**
 * Columns of one dimension. @param coordinates Names of the coordinates, if the dimension is that of places.
 */
function columnsOf<Row>(rows: readonly Row[], dimension: string, coordinates?: string) {
  const beside: NetcdfColumn["attributes"] = coordinates === undefined ? {} : { coordinates };
  const number = (name: string, attributes: NetcdfColumn["attributes"], of: Read<Row>): NetcdfColumn => ({
    name,
    dimensions: [dimension],
    attributes: { ...attributes, ...beside },
    value: (at) => (of(rows[at]!) as number | null | undefined) ?? Number.NaN,
  });
  return {
    number,
    place: (of: (row: Row) => PassagePlan["end"]): NetcdfColumn[] =>
      (["time", "latitude", "longitude"] as const).map((name) => {
        const { axis: _axis, ...attributes } = axes[name];
        return {
          name,
          dimensions: [dimension],
          attributes,
          value: (at) => {
            const passing = of(rows[at]!);
            return name === "time" ? parseInstant(passing.timestamp) : passing[name];
          },
        };
      }),
    /** The fields of a schema that have a number in some row. */
    numbers: (shape: Described, of: (row: Row) => object): NetcdfColumn[] =>
      numberFields(shape, rows.map(of)).map(({ name, title }) => {
        const unit = units.find(([end]) => name.endsWith(end))?.[1];
        const attributes = { _FillValue: Number.NaN, long_name: title, ...(unit && { units: unit }) };
        return number(name, attributes, (row) => field(of(row), name));
      }),
    flag: (name: string, words: readonly string[], title: string, of: Read<Row>): NetcdfColumn => ({
      ...number(name, {}, of),
      isInt: true,
      attributes: {
        _FillValue: Int32Array.of(-1),
        long_name: title,
        flag_values: Int32Array.from(words, (_, index) => index),
        flag_meanings: words.join(" "),
        ...beside,
      },
      value: (at) => words.indexOf(String(of(rows[at]!))),
    }),
    masks: (
      name: string,
      words: readonly string[],
      title: string,
      of: (row: Row) => readonly string[],
    ): NetcdfColumn => ({
      ...number(name, {}, of),
      isInt: true,
      attributes: {
        long_name: title,
        flag_masks: Int32Array.from(words, (_, index) => 2 ** index),
        flag_meanings: words.join(" "),
        ...beside,
      },
      value: (at) => of(rows[at]!).reduce((sum, word) => sum + 2 ** words.indexOf(word), 0),
    }),
  };
}
