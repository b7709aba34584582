import "#components/api-client/without-eval.ts";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { contractResolver, firstProblem } from "#components/fields/contract-resolver.ts";
import { TimeField } from "#components/fields/time-field.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { FileDrop, readInWorker } from "#components/ui/file-drop.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { zoneOf } from "#components/view-state/civil.ts";
import { variableTitle } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { pointLimits, pointRequest } from "#lib/contract/point.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { Language } from "#lib/messages/language.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { type ListProblem, type ListProblems, problemsText, problemText } from "#lib/points/list-problem.ts";
import { pointsOfColumns, readInstant } from "#lib/points/point-list.ts";
import type { TableNotes } from "#lib/points/read-table.ts";
import type { DateOrder } from "#lib/points/read-time.ts";
import { readSpeed, scheduled } from "#lib/points/schedule.ts";
import { positionText } from "#lib/position.ts";
import { formatInstant } from "#lib/time.ts";
import { type FileList, fileList, type ListReply, type ListRequest } from "./file-list.ts";
import {
  type CommonDraft,
  commonBody,
  commonDraft,
  formatDuration,
  type KindFormProps,
  pointBytes,
  runSeconds,
  TaskForm,
} from "./task-form.tsx";
import type { TaskBody } from "./task-requests.ts";

export function PointsForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const words = useWords("tasks", "lists");
  const { list: text } = words.tasks;
  const repeatedBody = given?.kind === "MetOcean" ? given.body : undefined;
  const [source, setSource] = useState<Source | PointFile | undefined>(() =>
    fileOf(repeatedBody, text.repeated),
  );
  // The cache is that of the page, so another form must not find the file of this one.
  const formId = useId();
  const sources = useRef(0);
  const nextId = () => `${formId} ${++sources.current}`;
  const asked = source && "content" in source ? source : undefined;
  const { data: read, isFetching: isReading } = useQuery({
    ...fileQuery(asked),
    enabled: asked !== undefined,
  });
  const file = source && ("lists" in source ? source : read);
  const [made, setChoice] = useState<ListChoice>();
  // A choice made for another file does not apply to this one.
  const choice = made?.file === file?.id && made ? made : { list: 0, skipping: false };
  const choose = (list: number, skipping: boolean) => file && setChoice({ file: file.id, list, skipping });
  const [typedDeparture, setDeparture] = useState<Typed<number>>();
  const [typedSpeed, setSpeed] = useState<Typed<string>>();
  const zone = zoneOf("utc", 0, words);
  /** The departure of the field at the time an invalid text was typed. */
  const [unclear, setUnclear] = useState<number>();

  const list = file?.lists[choice.list];
  const check = pointsCheck(words.tasks, list?.name);
  const form = useForm<PointsDraft, unknown, Omit<PointsBody, "points">>({
    defaultValues: { ...commonDraft(repeatedBody), variables: repeatedBody?.variables ?? ["wind", "wave"] },
    resolver: check,
  });
  const draft = form.watch();
  const chosen = draft.variables;
  const departure = typedOrPlanned(typedDeparture, list, list?.departure) ?? now;
  const speed = typedOrPlanned(typedSpeed, list, list?.knots?.toString()) ?? "6";
  const count = list?.count ?? 0;
  const untimed = list !== undefined && list.timed < count;
  // The field disappears together with its text.
  if (!untimed && unclear !== undefined) setUnclear(undefined);
  const knots = readSpeed(speed);
  const fields = chosen.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  const listProblem = isReading
    ? text.reading
    : file?.problems
      ? problemsText(file.problems, words.lists)
      : count === 0
        ? text.choose
        : count > pointLimits.async
          ? text.tooMany({ count, most: pointLimits.async })
          : list?.unread && !choice.skipping
            ? text.refusedRows
            : undefined;
  const isUnscheduled = untimed && (unclear === departure || !(knots >= 0));
  const timeProblem = isUnscheduled ? (list.timed > 0 ? text.someUntimed : text.untimed) : undefined;

  return (
    <FormProvider {...form}>
      <TaskForm
        suggestedName={list?.name}
        busy={busy}
        failure={failure}
        problem={listProblem ?? firstProblem(check(draft).errors) ?? timeProblem}
        estimate={text.estimate({
          count,
          size: formatBytes(pointBytes(count, fields), words),
          duration: formatDuration(runSeconds("MetOcean", count, known), words),
        })}
        onSubmit={(event) =>
          void form.handleSubmit((body) => {
            if (!list?.columns) return;
            const points = scheduled(pointsOfColumns(list.columns), departure, knots);
            onSubmit({
              kind: "MetOcean",
              body: {
                ...body,
                points: points.map(({ latitude, longitude, time }) => ({
                  latitude,
                  longitude,
                  timestamp: formatInstant(time),
                })),
              },
            });
          })(event)
        }
      >
        <PointListInput
          onFile={(picked) =>
            setSource({ id: nextId(), name: picked.name, content: () => picked.arrayBuffer() })
          }
          onPasted={(pasted) =>
            setSource(pasted.trim() ? { id: nextId(), name: "", content: async () => pasted } : undefined)
          }
        />
        {file && !file.problems ? (
          <ListPreview
            fileName={file.name}
            lists={file.lists}
            chosen={choice.list}
            onChoose={(index) => choose(index, false)}
            onDateOrder={(dateOrder) => asked && setSource({ ...asked, dateOrder })}
            skipping={choice.skipping}
            onSkip={(skipping) => choose(choice.list, skipping)}
          />
        ) : null}
        {untimed ? (
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            <TimeField
              label={text.departure}
              zone={zone}
              now={now}
              time={departure}
              onChange={(value) => setDeparture({ value, over: list })}
              onUnclear={(isUnclear) => setUnclear(isUnclear ? departure : undefined)}
            />
            <TextField
              label={text.speed}
              inputMode="decimal"
              value={speed}
              onChange={(value) => setSpeed({ value, over: list })}
            />
          </div>
        ) : null}
        <fieldset>
          <legend className="mb-1 text-sm">{text.quantities}</legend>
          <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
            {variableNames.map((name) => (
              <Checkbox
                key={name}
                checked={chosen.includes(name)}
                onChange={(on) =>
                  form.setValue(
                    "variables",
                    variableNames.filter((one) => (one === name ? on : chosen.includes(one))),
                  )
                }
              >
                {variableTitle(name, words)}
              </Checkbox>
            ))}
          </div>
        </fieldset>
      </TaskForm>
    </FormProvider>
  );
}

/** The fields of a task for points, apart from the list itself. */
interface PointsDraft extends CommonDraft {
  variables: readonly VariableName[];
}

type PointsBody = Extract<TaskBody, { kind: "MetOcean" }>["body"];

/** Checks all but the points, which are checked when their list is read. */
const pointsCheck = ({ list }: Messages["tasks"], suggestedName: string | undefined) =>
  contractResolver({
    schema: pointRequest(pointLimits.async).omit({ points: true }),
    bodyOf: ({ variables, ...common }: PointsDraft): Omit<PointsBody, "points"> => ({
      ...commonBody(common, suggestedName),
      variables: [...variables],
    }),
    fieldOf: ({ path: [part] }) => (part === "variables" ? part : "task_name"),
    textOf: () => list.noQuantity,
  });

function fileOf(
  body: (TaskBody & { kind: "MetOcean" })["body"] | undefined,
  name: string,
): PointFile | undefined {
  if (!body) return undefined;
  const points = body.points.map(({ timestamp, ...place }) => ({ ...place, time: readInstant(timestamp) }));
  const list = fileList({ kind: "table", name: "", points, km: 0, timesLeftOut: false });
  return { id: "", name, lists: [list] };
}

interface Props {
  onFile(file: File): void;
  onPasted(text: string): void;
}

function PointListInput({ onFile, onPasted }: Props) {
  const { list } = useWords("tasks").tasks;
  return (
    <FileDrop
      label={list.file}
      accept=".csv,.tsv,.txt,.gpx,.rtz,.rtzp,.xlsx,text/csv,application/gpx+xml,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      onFile={onFile}
    >
      <label className="form-field">
        {list.paste}
        <textarea
          className="field min-h-24 py-2 font-mono"
          placeholder={"latitude,longitude,timestamp\n48 30N,005 10W,2026-09-15 12:00"}
          onChange={(event) => onPasted(event.target.value)}
        />
      </label>
    </FileDrop>
  );
}

interface PreviewProps {
  /** Name of the file; empty for pasted text. */
  fileName: string;
  lists: readonly FileList[];
  chosen: number;
  onChoose(index: number): void;
  onDateOrder(order: DateOrder): void;
  /** The user chose to leave out points that cannot be read. */
  skipping: boolean;
  onSkip(skip: boolean): void;
}

/** Shows the points that were read from a file, and how they were interpreted, before a task is sent. */
export function ListPreview({
  fileName,
  lists,
  chosen,
  onChoose,
  onDateOrder,
  skipping,
  onSkip,
}: PreviewProps) {
  const words = useWords("tasks", "lists");
  const { preview } = words.tasks;
  const list = lists[chosen];
  if (!list) return null;
  return (
    <div className="space-y-3 text-sm">
      {lists.length > 1 ? (
        <fieldset className="flex max-h-60 flex-col overflow-y-auto">
          <legend className="mb-1">{preview.which}</legend>
          {lists.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lists of a file have no other identity
            <label key={index} className="flex min-h-11 items-start gap-2.5 p-1">
              <input
                type="radio"
                name="list"
                className="mt-0.5 size-4.5 shrink-0 accent-accent"
                checked={index === chosen}
                onChange={() => onChoose(index)}
              />
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
    <ul className="border-l-2 border-l-line pl-2.5 text-muted tabular-nums">
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

/** A list without a name is numbered among those of its kind. */
function listTitle(list: FileList, lists: readonly FileList[], words: WordsWith<"tasks" | "lists">): string {
  const { kind, name } = list;
  if (name) return words.lists.named({ kind, name });
  return words.lists.title({ kind, number: lists.filter((one) => one.kind === kind).indexOf(list) + 1 });
}

/** Text such as `12 points · 1,250 n mi · 6 kn · leaves 2026-09-14 12:00 UTC`. */
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

/** Formats a number with as many decimals as in the file. */
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

interface PointFile {
  /** Id of its source; empty for the points of an earlier task. */
  id: string;
  /** Name of the file; empty for pasted text. */
  name: string;
  lists: readonly FileList[];
  problems?: ListProblems;
}

/** A selected file, or pasted text. */
interface Source {
  id: string;
  /** Name of the file; empty for pasted text. */
  name: string;
  content(): Promise<ArrayBuffer | string>;
  dateOrder?: DateOrder;
}

/** The list of a file that is used, and how. */
interface ListChoice {
  /** Id of the file. */
  file: string;
  list: number;
  /** Points that cannot be read are left out. */
  skipping: boolean;
}

/** A typed value, and the list that was present at that time. */
interface Typed<Value> {
  value: Value;
  over: FileList;
}

/** A typed value stays unless another list has its own plan. */
export function typedOrPlanned<Value>(
  typed: Typed<Value> | undefined,
  list: FileList | undefined,
  planned: Value | undefined,
): Value | undefined {
  return typed && (typed.over === list || planned === undefined) ? typed.value : planned;
}

const fileQuery = (source: Source | undefined) =>
  queryOptions({
    queryKey: ["points of a file", source?.id, source?.dateOrder],
    queryFn: async ({ signal }): Promise<PointFile> => {
      const { id, name, content, dateOrder } = source!;
      const options = { languages: [...navigator.languages], ...(dateOrder && { dateOrder }) };
      const reply = await content().then(
        (bytes) => replyOfWorker({ content: bytes, options }, signal),
        // The file was moved or changed after it was selected.
        () => ({ problems: only({ code: "movedFile", name }) }),
      );
      return { id, name, lists: [], ...reply };
    },
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

function only(problem: ListProblem): ListProblems {
  return { shown: [problem], more: 0 };
}

function replyOfWorker(request: ListRequest, signal: AbortSignal): Promise<ListReply> {
  const worker = new Worker(new URL("./list.worker.ts", import.meta.url), { type: "module" });
  return readInWorker<ListReply>(worker, request, signal, (code) => ({ problems: only({ code }) }));
}
