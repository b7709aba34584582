import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { parseInstant } from "#lib/time.ts";
import { TableScroll, usePassageStyle } from "./passage-format.tsx";

/** A departure, and which one the plan has. */
interface Chosen {
  departure: string;
  /** Departure of the plan. */
  chosen: string | undefined;
}

interface TableProps {
  caption: string;
  /** First listed departure, whose zone the column of the departures names; undefined if there is none. */
  first: string | undefined;
  className?: string;
  /** Heads of the columns after that of the departures. */
  heads: ReactNode;
  /** A `DepartureRow` for each departure. */
  children: ReactNode;
}

/** The frame of a table with a row for each departure. */
export function DeparturesTable({ caption, first, className = "", heads, children }: TableProps) {
  const { words, zone } = usePassageStyle();
  return (
    <TableScroll label={caption}>
      <table className={`passage-table ${className}`}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              {words.leave.table.departure}
              <span className="unit">{zone.label(first === undefined ? 0 : parseInstant(first))}</span>
            </th>
            {heads}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableScroll>
  );
}

interface RowProps extends Chosen {
  /** Sentence about the departure, for screen readers. */
  verdict: string;
  onChoose(): void;
  /** The forecast does not reach the end, so that the row is pale. */
  isUnknown?: boolean;
  /** Cells after that of the departure. */
  children: ReactNode;
}

/** A row that begins with a button, which chooses its departure; the chosen one is highlighted. */
export function DepartureRow({
  departure,
  chosen,
  verdict,
  isUnknown = false,
  onChoose,
  children,
}: RowProps) {
  const { words, zone } = usePassageStyle();
  const when = formatShortTime(parseInstant(departure), zone);
  return (
    <tr className={departure === chosen ? "shown" : undefined} data-unknown={isUnknown || undefined}>
      <th scope="row">
        <button
          type="button"
          aria-pressed={departure === chosen}
          aria-label={words.leave.table.choose({ when, verdict })}
          onClick={onChoose}
        >
          {when}
        </button>
      </th>
      {children}
    </tr>
  );
}

interface TakeProps extends Chosen {
  /** Whether it is recommended. */
  primary: boolean;
  onTake(): void;
}

/** A button that gives the plan a departure, or the note that the plan has it. */
export function TakeDeparture({ departure, chosen, primary, onTake }: TakeProps) {
  const { words, zone } = usePassageStyle();
  const when = formatShortTime(parseInstant(departure), zone);
  return departure === chosen ? (
    <p className="text-sm">{words.leave.taken({ when })}</p>
  ) : (
    <Button primary={primary} onClick={onTake}>
      {words.leave.take({ when })}
    </Button>
  );
}
