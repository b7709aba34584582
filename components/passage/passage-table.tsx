import { useMemo } from "react";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { Plan } from "#lib/contract/plan.ts";
import { type ColumnId, columns, columnTitle } from "./passage-columns.ts";
import type { PassageStyle } from "./passage-format.ts";
import { isUnknown, type PassageRow, type RowMode, rowsOf } from "./passage-rows.ts";

interface Props {
  route: Plan["route"];
  plan: PassagePlan;
  meta: PassageMeta;
  style: PassageStyle;
  mode: RowMode;
  shown: readonly ColumnId[];
  /** Time of the map, Unix seconds; what is on paper has none. */
  time?: number;
  onPoint?(time: number | undefined): void;
  /** Sets the time of the map. */
  onTime?(time: number): void;
}

/** The passage in numbers: a row of it shows its time on the map. */
export function PassageTable({ route, plan, meta, style, mode, shown, time, onPoint, onTime }: Props) {
  const { words, zone } = style;
  const rows = useMemo(() => rowsOf(plan, mode, meta.distance_nm, meta.legs.length), [plan, meta, mode]);
  const visible = columns.filter(({ id }) => shown.includes(id));
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
        {rows.map((row) => {
          const when = formatShortTime(row.time, zone);
          const place = nameOf(row);
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
                {onTime ? (
                  <button
                    type="button"
                    aria-label={words.table.show({ when, place: place || undefined })}
                    onClick={() => onTime(row.time)}
                    onFocus={() => onPoint?.(row.time)}
                    onBlur={() => onPoint?.(undefined)}
                  >
                    {when}
                  </button>
                ) : (
                  when
                )}
                {place ? <span className="passage-place">{place}</span> : null}
              </th>
              {isUnknown(row.piece) ? (
                <UnknownCells row={row} visible={visible} style={style} />
              ) : (
                visible.map((column) => (
                  <td key={column.id} data-column={column.id}>
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

/** What is the boat's own, and not the forecast's. */
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

/** Beyond the forecast: how the boat goes on, and that the rest is not known. */
function UnknownCells({
  row,
  visible,
  style,
}: Pick<Props, "style"> & { row: PassageRow; visible: typeof columns }) {
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
