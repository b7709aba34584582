import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ListedEnsemble, listedEnsemblesQuery } from "#components/api-client/listed-ensembles.ts";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Verdict } from "#components/ui/verdict.tsx";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { MembersAtDeparture, PassageEnsemble } from "#lib/contract/passage-reply.ts";
import { parseInstant } from "#lib/time.ts";
import { DepartureRow, DeparturesTable, TakeDeparture } from "./departures-table.tsx";
import {
  type MemberOrder,
  memberOrders,
  membersArrival,
  membersCause,
  membersFacts,
  membersSentence,
  membersTone,
  membersWorst,
  totalOf,
  worstNumbers,
} from "./member-words.ts";
import { ABSENT, seaUnit, TableScroll, usePassageStyle, windUnit } from "./passage-format.tsx";
import { membersQuery } from "./passage-queries.ts";
import { needsTask, type PassageBody } from "./passage-request.ts";

/** The first ensemble of the service with members of the wind; undefined until it is known, and if there is none. */
export function useFirstEnsemble(apiKey: string): ListedEnsemble | undefined {
  return useQuery(listedEnsemblesQuery(apiKey)).data?.[0];
}

type Counts = Pick<MembersAtDeparture, "keep" | "break" | "not_known">;

/** The share of members that keep the limits as a bar, with its counts. */
function MembersBar({ at }: { at: Counts }) {
  const { words } = usePassageStyle();
  const total = totalOf(at);
  const width = (count: number) => `${(100 * count) / Math.max(1, total)}%`;
  return (
    <span className="members-share">
      <span className="members-bar" aria-hidden="true">
        <span data-part="keep" style={{ width: width(at.keep) }} />
        <span data-part="unknown" style={{ width: width(at.not_known) }} />
      </span>
      <span>{words.members.share({ keep: at.keep, total })}</span>
    </span>
  );
}

/** The meaning of the parts of the bars. */
function MembersLegend() {
  const { legend } = usePassageStyle().words.members;
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-xs">
      {(["keep", "notKnown", "not"] as const).map((part) => (
        <span key={part} className="members-share">
          <span className="members-bar members-key">
            {part === "not" ? null : (
              <span data-part={part === "keep" ? part : "unknown"} style={{ width: "100%" }} />
            )}
          </span>
          {legend[part]}
        </span>
      ))}
    </p>
  );
}

interface PassageProps {
  apiKey: string;
  ensemble: ListedEnsemble;
  /** The request of one departure, without an ensemble; undefined while it changes. */
  body: PassageBody | undefined;
}

/** The passage through the members of an ensemble at the departure of the plan. */
export function MembersOfPassage({ apiKey, ensemble, body }: PassageProps) {
  const style = usePassageStyle();
  const { words } = style;
  const { members: text } = words;
  const asked = body && { ...body, include_pieces: false, ensemble: ensemble.name };
  const query = useQuery({
    ...membersQuery(apiKey, asked, body !== undefined && needsTask(body, ensemble)),
    enabled: asked !== undefined,
    placeholderData: (before, last) => (last?.queryKey[1] === apiKey ? before : undefined),
  });
  const found = query.data?.meta.ensemble;
  const [at] = found?.departures ?? [];
  return (
    <div className="space-y-1.5" aria-busy={query.isFetching}>
      <h3 className="font-semibold text-sm">{text.title({ ensemble: ensemble.title })}</h3>
      {query.error ? <ErrorMessage error={query.error} onRetry={() => void query.refetch()} /> : null}
      {found && at ? (
        <div className="space-y-1.5 text-sm" data-old={query.isPlaceholderData || undefined}>
          <p role="status" className="font-semibold">
            {membersSentence(at, style)}
          </p>
          <MembersBar at={at} />
          <p>{membersArrival(at, style)}</p>
          {at.causes.length > 0 ? <p>{membersCause(at, style)}</p> : null}
          <p>{membersWorst(at, style)}</p>
          {at.legs.length > 1 ? <MembersByLeg legs={at.legs} /> : null}
          <MembersLegend />
          <Facts found={found} title={ensemble.title} />
        </div>
      ) : query.isFetching ? (
        <div className="skeleton h-24" aria-hidden="true" />
      ) : null}
    </div>
  );
}

function Facts({ found, title }: { found: PassageEnsemble; title: string }) {
  const style = usePassageStyle();
  return (
    <ul className="text-muted text-xs">
      {membersFacts(found, title, style).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function MembersByLeg({ legs }: { legs: readonly Counts[] }) {
  const { members: text } = usePassageStyle().words;
  return (
    <TableScroll label={text.byLeg}>
      <table className="passage-table">
        <caption className="sr-only">{text.byLeg}</caption>
        <thead>
          <tr>
            <th scope="col">{text.byLeg}</th>
            <th scope="col">{text.members}</th>
          </tr>
        </thead>
        <tbody>
          {legs.map((at, leg) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a leg is its position
            <tr key={leg}>
              <th scope="row">{text.legName({ leg: leg + 1 })}</th>
              <td>
                <MembersBar at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

interface DeparturesProps {
  found: PassageEnsemble;
  title: string;
  /** Departure of the plan, which is highlighted. */
  chosen: string | undefined;
  onChoose(departure: string): void;
}

/** The departures through the members of an ensemble: the best one, and how many members keep the limits at each. */
export function MemberDepartures({ found, title, chosen, onChoose }: DeparturesProps) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { leave, members: text } = words;
  const [order, setOrder] = useState<MemberOrder>("share");
  const rows = found.order[order].map((position) => found.departures[position]!);
  const [best] = rows;
  const when = (instant: string | null) =>
    instant === null ? ABSENT : formatShortTime(parseInstant(instant), zone);
  const [wind, sea] = [windUnit(style), seaUnit(style)];
  const isNone = found.departures.every(({ keep }) => keep === 0);
  return (
    <>
      {best ? (
        <div className="space-y-2" role="status">
          <Verdict
            tone={membersTone(best)}
            title={isNone ? text.none : leave.bestOne({ when: when(best.departure) })}
          >
            {isNone ? <p>{when(best.departure)}</p> : null}
            <p>{membersSentence(best, style)}</p>
            <p>{membersArrival(best, style)}</p>
            {best.causes.length > 0 ? <p>{membersCause(best, style)}</p> : null}
          </Verdict>
          <TakeDeparture
            departure={best.departure}
            chosen={chosen}
            primary={!isNone}
            onTake={() => onChoose(best.departure)}
          />
        </div>
      ) : null}
      <Choice<MemberOrder>
        title={leave.order}
        options={memberOrders.map((name) => [name, text.orders[name]] as const)}
        value={order}
        onChange={setOrder}
      />
      <DeparturesTable
        caption={text.caption}
        first={rows[0]?.departure}
        heads={
          <>
            <th scope="col">{text.members}</th>
            <th scope="col">{text.likely}</th>
            <th scope="col">
              {text.worstCase}
              <span className="unit">
                {wind.symbol} · {sea.symbol}
              </span>
            </th>
          </>
        }
      >
        {rows.map((row) => (
          <DepartureRow
            key={row.departure}
            departure={row.departure}
            chosen={chosen}
            verdict={membersSentence(row, style)}
            onChoose={() => onChoose(row.departure)}
          >
            <td className="text-left!">
              <MembersBar at={row} />
            </td>
            <td className="sweep-arrival whitespace-nowrap!">
              {when(row.arrival.likely)}
              {when(row.arrival.early) === when(row.arrival.late) ? null : (
                <span className="unit text-muted text-xs">
                  {text.range({ early: when(row.arrival.early), late: when(row.arrival.late) })}
                </span>
              )}
            </td>
            <td>
              {worstNumbers(row, style).wind} · {worstNumbers(row, style).sea}
            </td>
          </DepartureRow>
        ))}
      </DeparturesTable>
      <MembersLegend />
      <Facts found={found} title={title} />
    </>
  );
}
