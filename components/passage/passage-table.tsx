import { fromKnots } from "@open-metocean/geo/knots";
import { useMemo, useState } from "react";
import { utc, type Zone, zoneOf } from "#components/view-state/civil.ts";
import { deviceStorage } from "#components/view-state/device-setting.ts";
import { formatClock, formatDay, formatShortTime } from "#components/view-state/format-time.ts";
import { type Theme, type Tint, tintOf } from "#components/view-state/map-colours.ts";
import { useShownTheme } from "#components/view-state/view-context.tsx";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { OutputName, VariableName } from "#lib/catalog/variables.ts";
import type { Plan } from "#lib/contract/passage.ts";
import type { PassageMeta, PassagePiece, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { formatNumber } from "#lib/messages/number.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { numberIn, textIn, type Unit } from "#lib/units.ts";
import {
  ABSENT,
  bearingOf,
  boatSpeed,
  currentUnit,
  formatElapsed,
  formatPassedGate,
  formatSide,
  milesIn,
  type PassageStyle,
  seaUnit,
  unitOf,
  usePassageStyle,
  windUnit,
} from "./passage-format.tsx";

interface Props {
  route: Plan["route"];
  plan: PassagePlan;
  meta: PassageMeta;
  mode: RowMode;
  shown: readonly ColumnId[];
  /** Time of the map, Unix seconds; absent on paper. */
  time?: number;
  onPoint?(time: number | undefined): void;
  /** Sets the time of the map. */
  onTime?(time: number): void;
}

export function PassageTable({ route, plan, meta, mode, shown, time, onPoint, onTime }: Props) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const rows = useMemo(() => rowsOf(plan, mode, meta.distance_nm, meta.legs.length), [plan, meta, mode]);
  const visible = columns.filter(({ id }) => shown.includes(id));
  const theme = useShownTheme() ?? "light";
  const current = time === undefined ? undefined : rows.findLast((row) => row.time <= time);
  const nameOf = ({ waypoint, isEnd }: PassageRow) => {
    if (waypoint === undefined) return isEnd ? words.ends.held : "";
    const name = route[waypoint]?.name?.trim();
    return name ? `${waypoint + 1} ${name}` : words.table.waypoint({ number: waypoint + 1 });
  };
  return (
    <table className="passage-table">
      <caption className="sr-only">{words.table.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{zone.label(rows[0]?.time ?? 0)}</th>
          {visible.map((column) => (
            <th key={column.id} scope="col" data-column={column.id}>
              {columnTitle(column.id, style)}
              <span className="unit">{column.unit(style)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const when = formatShortTime(row.time, zone);
          const day = formatDay(row.time, zone);
          const before = rows[index - 1];
          const place = nameOf(row);
          const gates = plan.gates?.filter(({ waypoint }) => waypoint === row.waypoint);
          const nearest = row.piece.nearest_limit;
          const level = nearest && (nearest.ratio > 1 ? "over" : nearest.ratio >= 0.8 ? "near" : undefined);
          return (
            <tr
              key={`${row.time} ${row.isEnd}`}
              className={row === current ? "shown" : undefined}
              data-level={level || undefined}
              data-unknown={isUnknown(row.piece) || undefined}
              onPointerEnter={onPoint && (() => onPoint(row.time))}
              onPointerLeave={onPoint && (() => onPoint(undefined))}
            >
              <th scope="row">
                {before && formatDay(before.time, zone) === day ? null : (
                  <span className="passage-day">{day}</span>
                )}
                {onTime ? (
                  <button
                    type="button"
                    aria-label={words.table.show({ when, place: place || undefined })}
                    onClick={() => onTime(row.time)}
                    onFocus={() => onPoint?.(row.time)}
                    onBlur={() => onPoint?.(undefined)}
                  >
                    {formatClock(row.time, zone)}
                  </button>
                ) : (
                  formatClock(row.time, zone)
                )}
                {place ? <span className="passage-place">{place}</span> : null}
                {gates?.map((gate) => (
                  <span
                    key={`${gate.gate.kind} ${gate.station}`}
                    className="passage-gate"
                    data-missed={gate.holds === false || undefined}
                  >
                    {formatPassedGate(gate, style)}
                  </span>
                ))}
              </th>
              {isUnknown(row.piece) ? (
                <UnknownCells row={row} visible={visible} />
              ) : (
                visible.map((column) => (
                  <td key={column.id} data-column={column.id} style={column.tint?.(row, theme)}>
                    {column.text(row, style)}
                  </td>
                ))
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Columns that describe the boat instead of the forecast. */
const own: readonly ColumnId[] = [
  "sog",
  "stw",
  "course",
  "heading",
  "mode",
  "to_go",
  "distance",
  "elapsed",
  "other_time",
];

/** Cells beyond the forecast: the boat's own motion, and a note that the rest is unknown. */
function UnknownCells({ row, visible }: { row: PassageRow; visible: typeof columns }) {
  const style = usePassageStyle();
  const [first] = visible.filter(({ id }) => !own.includes(id));
  return visible.map((column) => (
    <td key={column.id} data-column={column.id}>
      {own.includes(column.id) || column.id === "notes"
        ? column.text(row, style)
        : column === first
          ? style.words.noForecast
          : ""}
    </td>
  ));
}

const [COLUMNS_KEY, ROWS_KEY] = ["metocean-passage-columns", "metocean-passage-rows"];

/** Rows and columns of the table, as stored on this device. */
export function useShownColumns() {
  const [shown, setShown] = useState(readColumns);
  const [mode, setMode] = useState<RowMode>(
    () => rowModes.find((name) => name === deviceStorage.getItem(ROWS_KEY)) ?? "hours",
  );
  return {
    shown,
    mode,
    setMode(next: RowMode) {
      deviceStorage.setItem(ROWS_KEY, next);
      setMode(next);
    },
    toggle(id: ColumnId) {
      const next = shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];
      deviceStorage.setItem(COLUMNS_KEY, next.join());
      setShown(next);
    },
  };
}

function readColumns(): readonly ColumnId[] {
  const stored = deviceStorage.getItem(COLUMNS_KEY)?.split(",");
  return stored ? columns.map(({ id }) => id).filter((id) => stored.includes(id)) : usualColumns;
}

export type ColumnId = keyof Messages["passage"]["outlook"]["columns"];

/** A column of the passage table other than time and waypoint. */
export interface Column {
  id: ColumnId;
  /** Unit below the title; empty if there is none. */
  unit(style: PassageStyle): string;
  text(row: PassageRow, style: PassageStyle): string;
  /** The value with its unit, for places without a heading. */
  full?(row: PassageRow, style: PassageStyle): string;
  /** The colours that the map has for the value. */
  tint?(row: PassageRow, theme: Theme): Tint | undefined;
}

const known = (value: number | null | undefined): value is number => typeof value === "number";

/** A number of the API, in the unit in which the page shows it. */
function output(
  id: ColumnId,
  point: OutputName,
  unit: (style: PassageStyle) => Unit,
  direction?: OutputName,
  period?: OutputName,
  layer?: DrawnVariable,
): Column {
  const write = ({ piece: { conditions } }: PassageRow, style: PassageStyle, as: typeof numberIn) => {
    const value = conditions[point];
    if (!known(value)) return ABSENT;
    const seconds = period && conditions[period];
    const text = [direction && bearingOf(conditions[direction]), as(value, unit(style))]
      .filter(Boolean)
      .join(" ");
    // Two numbers beside each other would read as one.
    return known(seconds) ? `${text} · ${Math.round(seconds)} s` : text;
  };
  return {
    id,
    unit: (style) => unit(style).symbol,
    text: (row, style) => write(row, style, numberIn),
    full: (row, style) => write(row, style, textIn),
    ...(layer && { tint: tinted(layer, ({ piece: { conditions } }) => conditions[point]) }),
  };
}

const tinted =
  (layer: DrawnVariable, of: (row: PassageRow) => number | null | undefined) =>
  (row: PassageRow, theme: Theme): Tint | undefined => {
    const value = of(row);
    return known(value) ? tintOf(layer, value, theme) : undefined;
  };

function number(id: ColumnId, unit: string | Column["unit"], text: Column["text"]): Column {
  return { id, unit: typeof unit === "string" ? () => unit : unit, text };
}

const milesUnit = ({ zone }: PassageStyle) => zone.words.catalog.nauticalMile;
const currentSymbol = (style: PassageStyle) => currentUnit(style).symbol;

/** A speed that the answer gives in knots, in the unit in which such speeds are shown. */
function speed(id: ColumnId, unit: (style: PassageStyle) => Unit, of: (row: PassageRow) => number | null) {
  return number(
    id,
    (style) => unit(style).symbol,
    (row, style) => {
      const knots = of(row);
      return knots === null ? ABSENT : numberIn(fromKnots(knots), unit(style));
    },
  );
}

const catalogUnit =
  (answered: string, name: VariableName) =>
  (style: PassageStyle): Unit =>
    unitOf(answered, name, style);

/** All columns, the most important ones first. */
export const columns: readonly Column[] = [
  output("wind", "Winds_10m_Intensity", windUnit, "Winds_10m_Direction", undefined, "wind"),
  number("wind_angle", "", ({ piece }, style) => formatSide(piece.wind_angle_deg, style)),
  {
    ...speed("gust", windUnit, ({ piece }) => piece.gust_kt),
    tint: tinted("gust", ({ piece: { gust_kt: knots } }) => knots && fromKnots(knots)),
  },
  output("sea", "Waves_Significant_Height", seaUnit, "Waves_Mean_Direction", "Waves_Mean_Period", "wave"),
  number("sea_angle", "", ({ piece }, style) => formatSide(piece.wave_angle_deg, style)),
  number("current_along", currentSymbol, ({ piece }, style) =>
    signed(piece.current_along_kt, currentUnit(style)),
  ),
  number("sog", "kn", ({ piece }, style) => boatSpeed(piece.sog_kt, style)),
  number("course", "", ({ piece }) => bearingOf(piece.course_deg)),
  number("to_go", milesUnit, (row, style) => milesIn(row.toGoMiles, style)),
  number("notes", "", notesOf),
  number("other_time", "", otherTime),
  number("elapsed", "h:min", ({ elapsedSeconds }) => formatElapsed(elapsedSeconds)),
  number("distance", milesUnit, (row, style) => milesIn(row.goneMiles, style)),
  number("stw", "kn", ({ piece }, style) => boatSpeed(piece.stw_kt, style)),
  number("heading", "", ({ piece }) => bearingOf(piece.heading_deg) || ABSENT),
  number("mode", "", ({ piece }, { words }) => words.modes[piece.mode]),
  speed("apparent", windUnit, ({ piece }) => piece.apparent_wind_kt),
  number("apparent_angle", "", ({ piece }, style) => formatSide(piece.apparent_wind_angle_deg, style)),
  output("swell", "Swell_Significant_Height", seaUnit, "Swell_Mean_Direction", "Swell_Mean_Period", "swell"),
  output(
    "wind_sea",
    "Windwaves_Significant_Height",
    seaUnit,
    "Windwaves_Mean_Direction",
    "Windwaves_Mean_Period",
    "wind_sea",
  ),
  number("encounter", "s", ({ piece }, { words, zone }) => {
    const period = piece.encounter_period_s;
    if (period === null) return ABSENT;
    const seconds = formatNumber(Math.abs(period), 1, zone.words.language);
    return period < 0 ? words.overtaking({ seconds }) : seconds;
  }),
  number("current_across", currentSymbol, ({ piece: { current_across_kt: across } }, style) => {
    if (across === null) return ABSENT;
    const value = numberIn(Math.abs(fromKnots(across)), currentUnit(style));
    return style.words.setting({ value, side: across < 0 ? "port" : "starboard" });
  }),
  number("acceleration", "g", ({ piece: { acceleration_g: g } }, { zone }) =>
    g === null ? ABSENT : formatNumber(g, 2, zone.words.language),
  ),
  number("comfort", "", ({ piece: { comfort } }, { words }) =>
    comfort === null ? ABSENT : words.comforts[comfort],
  ),
  output("pressure", "Pressure", catalogUnit("hPa", "pressure")),
  output("rain", "Precipitation", catalogUnit("mm/h", "rain")),
  output("cloud", "Cloud_Cover", catalogUnit("%", "cloud")),
  output("air", "Temperature_2m", catalogUnit("°C", "temp")),
  output("water", "Sea_Surface_Temperature", catalogUnit("°C", "sst")),
  output("cape", "MUCAPE", catalogUnit("J/kg", "mucape")),
];

/** The columns shown by default, up to and including the notes. */
export const usualColumns: readonly ColumnId[] = columns.slice(0, 10).map(({ id }) => id);

export function columnTitle(id: ColumnId, { words, zone }: PassageStyle): string {
  return id === "other_time" ? words.columns.other_time({ clock: otherClock(zone) }) : words.columns[id];
}

/** The second clock of the table: UTC, or the ship's time if the page shows UTC. */
const otherClock = (zone: Zone) => (zone.label(0) === "UTC" ? "ship" : "utc");

/** The time on the second clock; ship's time is that of the zone in which the ship is at that moment. */
function otherTime({ time, longitude }: PassageRow, { zone }: PassageStyle): string {
  if (otherClock(zone) === "utc") return formatShortTime(time, { ...utc, words: zone.words });
  const ship = zoneOf("ship", longitude, zone.words);
  return `${formatClock(time, ship)} ${ship.label(time)}`;
}

/** A current along the course: `+0.4` with the vessel, `−1.2` against it. */
function signed(knots: number | null, unit: Unit): string {
  if (knots === null) return ABSENT;
  const text = numberIn(fromKnots(knots), unit);
  return knots > 0 && Number(text.replace(",", ".")) !== 0 ? `+${text}` : text;
}

/** Limits and flags of a piece in words. */
function notesOf({ piece: { nearest_limit: nearest, flags } }: PassageRow, { words }: PassageStyle): string {
  const what = nearest && words.limits[nearest.limit];
  const limit =
    nearest && what && nearest.ratio >= 0.8
      ? [nearest.ratio > 1 ? words.overLimit({ what }) : words.nearLimit({ what })]
      : [];
  return [...limit, ...flags.map((flag) => words.flags[flag])].join("; ");
}

/** Choice of rows: one per waypoint; one per waypoint and every three hours; or one per piece. */
export const rowModes = ["waypoints", "hours", "pieces"] as const;

type RowMode = (typeof rowModes)[number];

export interface PassageRow {
  /** Time at which the vessel is there, Unix seconds. */
  time: number;
  latitude: number;
  longitude: number;
  /** Position of the waypoint at which the vessel is, from 0; undefined between waypoints. */
  waypoint: number | undefined;
  /** Time since the departure, seconds. */
  elapsedSeconds: number;
  goneMiles: number;
  toGoMiles: number;
  /** Conditions there: those of the piece that begins here; at the end, those of the piece that ends here. */
  piece: PassagePiece;
  isEnd: boolean;
}

/** Interval between rows, if they follow time, seconds. */
const EVERY_S = 3 * HOUR_S;

/**
 * The rows of a passage; the last one is where it ends.
 *
 * @param miles Length of the whole route.
 * @param lastWaypoint Position of the last waypoint.
 */
export function rowsOf(
  { pieces = [], end, ending, totals }: PassagePlan,
  mode: RowMode,
  miles: number,
  lastWaypoint: number,
): PassageRow[] {
  const last = pieces.at(-1);
  if (!last) return [];
  const rows = pieces.flatMap((piece, index): PassageRow[] => {
    const before = pieces[index - 1];
    const isWaypoint = before?.leg !== piece.leg;
    const isHour =
      before !== undefined &&
      Math.floor(piece.elapsed_s / EVERY_S) !== Math.floor(before.elapsed_s / EVERY_S);
    if (!isWaypoint && mode !== "pieces" && !(mode === "hours" && isHour)) return [];
    return [
      {
        time: parseInstant(piece.start.timestamp),
        latitude: piece.start.latitude,
        longitude: piece.start.longitude,
        waypoint: isWaypoint ? piece.leg : undefined,
        elapsedSeconds: piece.elapsed_s,
        goneMiles: Math.max(0, miles - piece.to_go_nm),
        toGoMiles: piece.to_go_nm,
        piece,
        isEnd: false,
      },
    ];
  });
  const gone = Math.min(miles, totals.distance_nm);
  rows.push({
    time: parseInstant(end.timestamp),
    latitude: end.latitude,
    longitude: end.longitude,
    waypoint: ending === "arrived" ? lastWaypoint : undefined,
    elapsedSeconds: totals.duration_s,
    goneMiles: gone,
    toGoMiles: Math.max(0, miles - gone),
    piece: last,
    isEnd: true,
  });
  return rows;
}

/** Whether the weather of a piece is unknown; such pieces are shown in grey. */
export function isUnknown({ flags }: PassagePiece): boolean {
  return flags.includes("no_forecast");
}
