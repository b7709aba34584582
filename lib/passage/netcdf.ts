import {
  type PassagePlan,
  passagePiece,
  passagePlan,
  passageTotals,
  pieceFlags,
} from "#lib/contract/passage-reply.ts";
import { attributesOf, axes, globalsOf } from "#lib/table/cf.ts";
import { type NetcdfColumn, type NetcdfContent, netcdfPieces } from "#lib/table/netcdf.ts";
import { type About, pointOutputs } from "#lib/table/table.ts";
import { parseInstant } from "#lib/time.ts";
import { limitNames } from "./limits.ts";
import { lights } from "./sun.ts";
import { comforts } from "./totals.ts";
import { causes, verdicts } from "./verdict.ts";
import { modes } from "./vessel.ts";

type Described = Readonly<Record<string, { description?: string | undefined }>>;
type Read<Row> = (row: Row) => unknown;

/** Units, as UDUNITS writes them, by the end of a name. */
const units: readonly [end: string, unit: string][] = [
  ["_kt", "knot"],
  ["_nm", "nautical_mile"],
  ["_deg", "degree"],
  ["_s", "s"],
  ["_m", "m"],
  ["_g", "9.80665 m s-2"],
  ["_ratio", "1"],
];

const PLACE = "time latitude longitude";

/**
 * Plans as CF discrete sampling geometries. With pieces each plan is a trajectory (featureType trajectory, contiguous ragged
 * array): its pieces, at the places and times where the weather was read, follow those of the plan before, and `row_size` says
 * how many it has; what is said of the whole plan stands beside. Without pieces each plan is a point, where and when it ends.
 * Words are flags; -1 where there is none.
 */
export function passageNetcdf(plans: readonly PassagePlan[], about: About): Generator<Uint8Array> {
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
      ...ofPlan(one),
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
    variables: [...one.place(({ end }) => end), ...ofPlan(one)],
  };
}

/** What is said of a whole plan. */
function ofPlan(one: ReturnType<typeof columnsOf<PassagePlan>>): NetcdfColumn[] {
  const { standard_name: _name, axis: _axis, ...instant } = axes.time;
  return [
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

/** Columns of one dimension. @param coordinates Where and when, where it is the dimension of places. */
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
    /** Those fields of a schema that are numbers in some row. */
    numbers: (shape: Described, of: (row: Row) => object): NetcdfColumn[] => {
      const fieldOf = (row: Row, name: string) => (of(row) as Record<string, unknown>)[name];
      return Object.keys(shape)
        .filter((name) => rows.some((row) => typeof fieldOf(row, name) === "number"))
        .map((name) => {
          const unit = units.find(([end]) => name.endsWith(end))?.[1];
          const attributes = {
            _FillValue: Number.NaN,
            long_name: shape[name]!.description ?? name,
            ...(unit && { units: unit }),
          };
          return number(name, attributes, (row) => fieldOf(row, name));
        });
    },
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
