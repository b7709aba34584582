import { type Box, boxOfPlaces } from "@open-metocean/geo/box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { formatMinutes } from "#components/view-state/format-time.ts";
import { useWords } from "#components/words/words-context.ts";
import { variable } from "#lib/catalog/variables.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { errorText } from "#lib/messages/fault.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { MAX_DRAWN_POINTS } from "./task-points.ts";
import {
  cancelTask,
  downloadResult,
  resultFormats,
  type TaskBody,
  taskListKey,
  taskRequest,
} from "./task-requests.ts";

interface Props {
  task: ListedTask;
  apiKey: string;
  /** System clock, milliseconds since 1970; tasks are stored by real time. */
  now: number;
  /** Whether the link of an e-mail points to it. */
  marked: boolean;
  onRepeat(body: TaskBody): void;
  /** Deletes the task, which can be undone for a while. */
  onDelete(): void;
}

export function TaskRow({ task, apiKey, now, marked, onRepeat, onDelete }: Props) {
  const words = useWords("tasks");
  const { row } = words.tasks;
  const title = formatTitle(task, words);
  const pending = task.status === "PENDING";
  const expired = task.status === "SUCCESS" && Date.parse(task.expires_at ?? "") <= now;
  return (
    <li className="task-row" data-marked={marked} data-state={task.status}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 break-words font-semibold">{title}</h2>
        <p className="pill" data-state={isCancelled(task) ? "CANCELLED" : task.status}>
          <span aria-hidden="true">{pending ? "◔" : task.status === "SUCCESS" ? "✓" : "✕"}</span>
          {formatState(task, words)}
        </p>
      </div>
      {pending && task.queue_position === null ? (
        <progress
          className="task-progress"
          max={1}
          value={task.progress}
          aria-label={row.progressOf({ title })}
        />
      ) : null}
      {task.status === "FAILURE" && task.error && !isCancelled(task) ? (
        <p className="text-sm">{task.error}</p>
      ) : null}
      <p className="text-muted text-sm">
        {[
          formatAmount(task, words),
          row.asked({ age: formatMinutes(Date.parse(task.created_at) / 1000, now / 1000, words) }),
          ...(task.result_bytes ? [row.compressed({ size: formatBytes(task.result_bytes, words) })] : []),
          ...(task.receive_mail ? [formatMail(task, words)] : []),
          ...(expired
            ? [row.expired]
            : task.status === "SUCCESS" && task.expires_at
              ? [formatExpiry(task.expires_at, words)]
              : []),
        ].join(" · ")}
      </p>
      <TaskActions
        task={task}
        title={title}
        expired={expired}
        apiKey={apiKey}
        onRepeat={onRepeat}
        onDelete={onDelete}
      />
    </li>
  );
}

/** Zoom at which the world is about as wide as a screen, and closest zoom of a link. */
const WORLD_ZOOM = 1;
const MAX_ZOOM = 9;

/**
 * Link to the map at a task's result: its centre, first instant, layer and first point. The map reads the
 * task's points by its id and shows all of them.
 */
export function mapLink({ kind, body }: TaskBody, id: string): string {
  const view = new URLSearchParams();
  if (kind === "MetOcean") {
    const { points } = body;
    const [first] = points;
    // A sample of a long list suffices.
    const every = Math.ceil(points.length / MAX_DRAWN_POINTS);
    const box = boxOfPlaces(points.filter((_, index) => index % every === 0));
    if (!first || !box) return "/";
    const layer = body.variables.find((name) => variable(name).layer !== false && !variable(name).static);
    const { middle, span } = centreOf(box);
    view.set("c", middle);
    // The map chooses a zoom for its own size. Longer lists are not drawn, so the link states a zoom.
    if (every === 1) view.set("task", id);
    else view.set("z", String(zoomFor(span)));
    if (layer) view.set("l", layer);
    view.set("t", first.timestamp);
    view.set("p", `${first.latitude},${first.longitude}`);
  } else {
    const [box] = body.bounding_boxes;
    if (!box) return "/";
    const [south = 0, north = 0] = box.latitude;
    const [west = 0, east = 0] = box.longitude;
    const { middle, span } = centreOf({ south, north, west, east });
    view.set("c", middle);
    view.set("z", String(zoomFor(span)));
    view.set("l", body.variable);
    view.set("t", typeof box.timestamp === "string" ? box.timestamp : (box.timestamp[0] ?? ""));
  }
  return `/?${view.toString().replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}

function zoomFor(degrees: number): number {
  return Math.max(WORLD_ZOOM, Math.min(MAX_ZOOM, Math.round(Math.log2(360 / Math.max(0.1, degrees)))));
}

/** Centre of a box as `latitude,longitude`, and its extent in degrees. */
function centreOf({ south, north, west, east }: Box): { middle: string; span: number } {
  const width = east >= west ? east - west : east - west + 360;
  const longitude = west + width / 2;
  return {
    middle: `${(south + north) / 2},${longitude > 180 ? longitude - 360 : longitude}`,
    span: Math.max(north - south, width),
  };
}

type ActionsProps = Pick<Props, "task" | "apiKey" | "onRepeat" | "onDelete"> & {
  title: string;
  expired: boolean;
};

/** The actions that the state of a task allows, and the error of the last one. */
function TaskActions({ task, title, expired, apiKey, onRepeat, onDelete }: ActionsProps) {
  const client = useQueryClient();
  const words = useWords("tasks");
  const { actions } = words.tasks;
  const refreshList = () => client.invalidateQueries({ queryKey: taskListKey(apiKey) });
  const action = useMutation({
    // Buttons do nothing while an action runs; actions that change the task include refreshing the list.
    mutationFn: (request: () => Promise<unknown>) => request(),
    // The list may be outdated.
    onError: () => void refreshList(),
  });
  const run = (request: () => Promise<unknown>) => action.mutate(request);
  const button = (label: string, request: () => Promise<unknown>, elementId?: string) => (
    <button
      id={elementId}
      type="button"
      className="toggle"
      // A disabled button would lose the focus.
      aria-disabled={action.isPending}
      onClick={() => {
        if (!action.isPending) run(request);
      }}
    >
      {label}
      <span className="sr-only"> {title}</span>
    </button>
  );
  const id = task.task_id;
  // Passages and files have their own forms on the map, so they cannot be repeated here, and the map does not
  // draw them.
  const hasForm = task.kind === "MetOcean" || task.kind === "2DMetOcean";
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {task.status === "SUCCESS" && !expired ? (
        <Menu
          className="task-menu"
          align="left"
          button={<span className="px-2">{actions.download}</span>}
          label={actions.downloadOf({ title })}
        >
          {(close) => (
            <ul className="flex max-w-64 flex-wrap gap-1">
              {resultFormats[task.kind].map((format) => (
                <li key={format.extension}>
                  <button
                    type="button"
                    className="toggle"
                    onClick={() => {
                      close();
                      run(() => downloadResult(apiKey, task, format));
                    }}
                  >
                    {format.label}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Menu>
      ) : null}
      {task.status === "FAILURE" || expired || !hasForm
        ? null
        : button(actions.openOnMap, async () =>
            window.location.assign(mapLink(await taskRequest(apiKey, task), id)),
          )}
      {/* Deleting removes the request together with its result. */}
      {expired || !hasForm
        ? null
        : button(actions.repeat, async () => onRepeat(await taskRequest(apiKey, task)))}
      {task.status === "PENDING"
        ? button(actions.cancel, () => cancelTask(apiKey, id).then(refreshList))
        : button(actions.delete, async () => onDelete(), `delete-${id}`)}
      <CopyButton className="toggle" text={() => id}>
        {actions.copyId}
        <span className="sr-only">{actions.copyIdOf({ title })}</span>
      </CopyButton>
      {action.error ? (
        <p role="alert" className="w-full text-sm">
          {errorText(action.error, words)}
        </p>
      ) : null}
    </div>
  );
}

export function formatTitle(
  { task_name, kind }: Pick<ListedTask, "task_name" | "kind">,
  { tasks }: WordsWith<"tasks">,
): string {
  return task_name?.trim() || tasks.untitled[kind];
}

/** Text such as `12,000 points`, `1,200,000 values of a map box`. */
function formatAmount(
  { kind, size }: Pick<ListedTask, "kind" | "size">,
  { tasks }: WordsWith<"tasks">,
): string {
  if (kind === "passages/optimise") return tasks.row.miles({ count: size });
  if (kind === "passages/evaluate") return tasks.row.passagePlaces({ count: size });
  return kind === "2DMetOcean" || kind === "files"
    ? tasks.row.boxValues({ count: size })
    : tasks.points({ count: size });
}

/** Whether the owner cancelled the task, which is not a failure. */
function isCancelled({ status, error }: Pick<ListedTask, "status" | "error">): boolean {
  return status === "FAILURE" && error === "Task cancelled by user";
}

/** Whether an e-mail is sent at the end of a task that requested one. */
function formatMail(
  { status, notification }: Pick<ListedTask, "status" | "notification">,
  { tasks: { row } }: WordsWith<"tasks">,
): string {
  if (notification === "not-configured") return row.noMail;
  return status === "PENDING" ? row.mailWhenDone : row.mailAsked;
}

export function formatState(task: ListedTask, { tasks: { states } }: WordsWith<"tasks">): string {
  if (task.status === "SUCCESS") return states.done;
  if (task.status === "FAILURE") return isCancelled(task) ? states.cancelled : states.failed;
  if (task.queue_position === null)
    return task.progress > 0
      ? states.runningAt({ percent: Math.floor(100 * task.progress) })
      : states.running;
  return task.queue_position === 1 ? states.next : states.waiting({ position: task.queue_position });
}

/** Text such as `kept until 28 Nov 2026, 04:10 UTC`. */
function formatExpiry(instant: string, { tasks, dates }: WordsWith<"tasks">): string {
  const date = new Date(instant);
  return tasks.row.keptUntil({
    day: date.getUTCDate(),
    month: dates.months[date.getUTCMonth()]!,
    year: date.getUTCFullYear(),
    clock: date.toISOString().slice(11, 16),
  });
}
