import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { MILE_KM } from "#lib/geo/sphere.ts";
import type { TableNotes } from "#lib/points/read-table.ts";
import type { DateOrder } from "#lib/points/read-time.ts";
import { positionText } from "#lib/position.ts";
import { formatInstant } from "#lib/time.ts";
import type { FileList } from "./file-list.ts";
import { formatPoints } from "./format-task.ts";

interface Props {
  /** Of the file; empty for pasted text. */
  fileName: string;
  lists: readonly FileList[];
  chosen: number;
  onChoose(index: number): void;
  onDateOrder(order: DateOrder): void;
  /** Rows that cannot be read are left out, as the person said. */
  skipping: boolean;
  onSkip(skip: boolean): void;
}

/** What was read from a file, and how: the person sees it before a task is sent. */
export function ListPreview({ fileName, lists, chosen, onChoose, onDateOrder, skipping, onSkip }: Props) {
  const list = lists[chosen];
  if (!list) return null;
  return (
    <div className="space-y-3 text-sm">
      {lists.length > 1 ? (
        <fieldset className="list-choice">
          <legend className="mb-1">The file has several lists. Which one?</legend>
          {lists.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lists of a file have no other identity
            <label key={index} className="list-choice-row">
              <input type="radio" name="list" checked={index === chosen} onChange={() => onChoose(index)} />
              <span>
                <strong>{listTitle(one, lists)}</strong>
                <span className="block text-muted">{listFacts(one)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <p>
        {fileName ? `${fileName}: ` : ""}
        {formatPoints(list.count)}
        {timesText(list)}.
      </p>
      {list.timesLeftOut ? (
        <p>
          The times in the file are those when its points were drawn, not of a passage. They are not used.
        </p>
      ) : null}
      {list.notes ? <TableReading notes={list.notes} onDateOrder={onDateOrder} /> : null}
      {list.notes && list.notes.refused > 0 ? (
        <div className="feed-error">
          <p>{refusedText(list.notes)}</p>
          <ul className="list-disc pl-5">
            {list.notes.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <Checkbox checked={skipping} onChange={onSkip}>
            Leave these rows out
          </Checkbox>
        </div>
      ) : null}
      <FirstPoints list={list} />
    </div>
  );
}

function TableReading({ notes, onDateOrder }: { notes: TableNotes; onDateOrder(order: DateOrder): void }) {
  const { titles, hasHeader, assumedOrder, assumedUtc } = notes;
  const named = (
    [
      ["latitude", titles.latitude],
      ["longitude", titles.longitude],
      ["position", titles.position],
      ["date", titles.date],
      ["time", titles.instant],
      ["name", titles.name],
    ] as const
  ).flatMap(([what, title]) => (title ? [`${what} from “${title}”`] : []));
  return (
    <>
      <p className="text-muted">
        {hasHeader
          ? `Read: ${named.join(", ")}.`
          : "No line names the columns: latitude is read first, then longitude."}
        {assumedUtc ? " Times are taken as UTC." : ""}
      </p>
      {assumedOrder ? (
        <Choice<DateOrder>
          title="Dates like 03/04/2026 can be read in two ways. Here they are"
          options={[
            ["day-month", "day/month/year"],
            ["month-day", "month/day/year"],
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

const kindNames: Readonly<Record<FileList["kind"], string>> = {
  table: "Table",
  route: "Route",
  track: "Track",
  waypoints: "Waypoints",
};

/** Without a name a list is counted among those of its kind. */
function listTitle(list: FileList, lists: readonly FileList[]): string {
  const { kind, name } = list;
  if (name) return `${kindNames[kind]} “${name}”`;
  if (kind === "waypoints") return "Waypoints";
  return `${kindNames[kind]} ${lists.filter((one) => one.kind === kind).indexOf(list) + 1}`;
}

/** `12 points · 1,250 n mi · 6 kn · leaves 2026-09-14 12:00 UTC` */
function listFacts({ count, km, knots, departure }: FileList): string {
  return [
    formatPoints(count),
    km > 0 ? `${Math.round(km / MILE_KM).toLocaleString("en")} n mi` : undefined,
    knots === undefined ? undefined : `planned at ${knots} kn`,
    departure === undefined ? undefined : `leaves ${minuteText(departure)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function minuteText(seconds: number): string {
  return `${formatInstant(seconds).slice(0, 16).replace("T", " ")} UTC`;
}

function refusedText({ read, refused }: TableNotes): string {
  const rows = refused === 1 ? "1 row cannot be read" : `${refused.toLocaleString("en")} rows cannot be read`;
  return `${rows}, ${read.toLocaleString("en")} can.`;
}

function timesText({ timed, count }: FileList): string {
  if (timed === count) return ", each with its time";
  return timed > 0 ? ", not all with a time" : ", without times";
}
