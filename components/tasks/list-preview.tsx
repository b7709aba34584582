import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { useWords } from "#components/words/words-context.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Language } from "#lib/messages/language.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { problemText } from "#lib/points/list-problem.ts";
import type { TableNotes } from "#lib/points/read-table.ts";
import type { DateOrder } from "#lib/points/read-time.ts";
import { positionText } from "#lib/position.ts";
import { formatInstant } from "#lib/time.ts";
import type { FileList } from "./file-list.ts";

interface Props {
  /** Of the file; empty for pasted text. */
  fileName: string;
  lists: readonly FileList[];
  chosen: number;
  onChoose(index: number): void;
  onDateOrder(order: DateOrder): void;
  /** Points that cannot be read are left out, as the person said. */
  skipping: boolean;
  onSkip(skip: boolean): void;
}

/** What was read from a file, and how: the person sees it before a task is sent. */
export function ListPreview({ fileName, lists, chosen, onChoose, onDateOrder, skipping, onSkip }: Props) {
  const words = useWords("tasks", "lists");
  const { preview } = words.tasks;
  const list = lists[chosen];
  if (!list) return null;
  return (
    <div className="space-y-3 text-sm">
      {lists.length > 1 ? (
        <fieldset className="list-choice">
          <legend className="mb-1">{preview.which}</legend>
          {lists.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lists of a file have no other identity
            <label key={index} className="list-choice-row">
              <input type="radio" name="list" checked={index === chosen} onChange={() => onChoose(index)} />
              <span>
                <strong>{listTitle(one, lists, words)}</strong>
                <span className="block text-muted">{listFacts(one, words)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <p>{preview.read({ file: fileName || undefined, count: list.count, timed: timedPart(list) })}</p>
      {list.timesLeftOut ? <p>{preview.drawnTimes}</p> : null}
      {list.notes ? <TableReading notes={list.notes} onDateOrder={onDateOrder} /> : null}
      {list.unread ? (
        <div className="feed-error">
          <p>{preview.refused({ read: list.count, refused: list.unread.shown.length + list.unread.more })}</p>
          <ul className="list-disc pl-5">
            {list.unread.shown
              .map((problem) => problemText(problem, words.lists))
              .map((text) => (
                <li key={text}>{text}</li>
              ))}
          </ul>
          <Checkbox checked={skipping} onChange={onSkip}>
            {preview.leaveOut}
          </Checkbox>
        </div>
      ) : null}
      <FirstPoints list={list} />
    </div>
  );
}

const shownColumns = ["latitude", "longitude", "position", "date", "instant", "name"] as const;

function TableReading({ notes, onDateOrder }: { notes: TableNotes; onDateOrder(order: DateOrder): void }) {
  const {
    tasks: { preview },
    ui: { joins },
  } = useWords("tasks");
  const { titles, hasHeader, assumedOrder, assumedUtc } = notes;
  const found = shownColumns.flatMap((column) => {
    const title = titles[column];
    return title ? [preview.column[column]({ title })] : [];
  });
  return (
    <>
      <p className="text-muted">
        {[
          hasHeader ? preview.columns({ columns: found.join(joins.clauses) }) : preview.noColumns,
          ...(assumedUtc ? [preview.takenAsUtc] : []),
        ].join(joins.sentences)}
      </p>
      {assumedOrder ? (
        <Choice<DateOrder>
          title={preview.dateOrder}
          options={[
            ["day-month", preview.dateOrders["day-month"]],
            ["month-day", preview.dateOrders["month-day"]],
          ]}
          value={assumedOrder}
          onChange={onDateOrder}
        />
      ) : null}
    </>
  );
}

function FirstPoints({ list }: { list: FileList }) {
  return (
    <ul className="first-points">
      {list.first.map(({ latitude, longitude, time, name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: points have no other identity
        <li key={index}>
          {[name, positionText(latitude, longitude), time === undefined ? undefined : minuteText(time)]
            .filter(Boolean)
            .join(" · ")}
        </li>
      ))}
      {list.count > list.first.length ? <li>…</li> : null}
    </ul>
  );
}

/** Without a name a list is counted among those of its kind. */
function listTitle(list: FileList, lists: readonly FileList[], words: WordsWith<"tasks" | "lists">): string {
  const { kind, name } = list;
  if (name) return words.lists.named({ kind, name });
  return words.lists.title({ kind, number: lists.filter((one) => one.kind === kind).indexOf(list) + 1 });
}

/** `12 points · 1,250 n mi · 6 kn · leaves 2026-09-14 12:00 UTC` */
function listFacts(
  { count, km, knots, departure }: FileList,
  { tasks, language }: WordsWith<"tasks">,
): string {
  const { preview } = tasks;
  return [
    tasks.points({ count }),
    km > 0 ? preview.miles({ count: km / MILE_KM }) : undefined,
    knots === undefined ? undefined : preview.planned({ speed: decimalText(knots, language) }),
    departure === undefined ? undefined : preview.leaves({ when: minuteText(departure) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** With as many decimals as the file has. */
function decimalText(value: number, language: Language): string {
  return formatNumber(value, String(value).split(".")[1]?.length ?? 0, language);
}

function minuteText(seconds: number): string {
  return `${formatInstant(seconds).slice(0, 16).replace("T", " ")} UTC`;
}

function timedPart({ timed, count }: FileList): "all" | "some" | "none" {
  if (timed === count) return "all";
  return timed > 0 ? "some" : "none";
}
