import "#components/api-client/without-eval.ts";
import { boxOfView, type ViewBox, viewOfBox } from "@open-metocean/geo/box";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { isUnreachable, retryPolicy } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { type AreaPlan, bytesToLoad, deleteArea, freeSpace } from "#components/api-client/save-area.ts";
import {
  type AreaWish,
  areaChanges,
  type SavedArea,
  savedAreas,
} from "#components/api-client/saved-areas.ts";
import { canSave } from "#components/api-client/saved-replies.ts";
import { boxOfEdges, type Edges, edgesOf, wrongEdges } from "#components/fields/box-edges.ts";
import { BoxField } from "#components/fields/box-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import {
  drawBox,
  takeDrawnBoxes,
  useDownloadArea,
  useFramedBox,
} from "#components/view-state/download-area.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { layerName } from "#components/view-state/overlays.ts";
import { useOnline } from "#components/view-state/use-browser.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type DrawnVariable, drawnVariables } from "#lib/catalog/colours.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { errorText } from "#lib/messages/fault.ts";
import { positionText } from "#lib/position.ts";
import { createStore } from "#lib/store.ts";
import { HOUR_S } from "#lib/time.ts";
import { type AreaSaving, startSaving, useAreaSaving } from "./area-saving.ts";

/** The parts of the map that saving an area needs. */
export interface AreaSource {
  /** Layers that are shown. */
  layers: readonly DrawnVariable[];
  model: string | null;
  plan(key: string, wish: AreaWish, signal: AbortSignal): Promise<AreaPlan>;
  readLand(box: ViewBox): Promise<void>;
}

interface Props {
  /** The visible area; undefined until the map is open. */
  view: ViewBox | undefined;
  source: AreaSource;
  onShow(box: ViewBox): void;
}

interface Draft {
  /** Edges that were drawn or typed; undefined takes the view. */
  edges: Edges | undefined;
  /** Undefined takes the layers that are shown. */
  layers: readonly DrawnVariable[] | undefined;
  days: number;
  hours: number;
}

/** The draft survives while another tab is shown. */
const kept = createStore<Draft>(() => ({ edges: undefined, layers: undefined, days: 3, hours: 3 }));

/** Interval of attempts while the service cannot be reached, ms. */
const RETRY_MS = 15_000;

/** Interval at which the frames of an area are counted while it is saved, ms. */
const COUNT_MS = 1000;

const DAYS = [1, 2, 3, 5, 7, 10];
const HOURS = [1, 3, 6];

/** Larger areas are refused: a browser may delete them, and a slow link would take days. */
const MAX_BYTES = 1e9;

/** Saves layers of an area on the device, and lists what is saved. */
export function SavedAreas({ view, source, onShow }: Props) {
  const words = useWords("download", "area");
  const { download, area: general } = words;
  const { offline } = download;
  const { now } = useClock("now");
  const { c } = useView("c");
  const { isDrawing } = useDownloadArea("isDrawing");
  const [draft, setDraft] = useState(kept.read);
  const change = (part: Partial<Draft>) => setDraft((last) => ({ ...last, ...part }));
  useEffect(() => kept.set(draft), [draft]);
  useEffect(() => takeDrawnBoxes((box) => setDraft((last) => ({ ...last, edges: edgesOf(box) }))), []);
  const own = draft.edges && boxOfEdges(draft.edges);
  useFramedBox(own, true);
  const box = draft.edges ? own && viewOfBox(own) : view;
  const layers = draft.layers ?? source.layers;
  const from = Math.floor(now / HOUR_S) * HOUR_S;
  const wish: AreaWish | undefined =
    box && now > 0 && layers.length > 0
      ? { box, variables: layers, model: source.model, days: draft.days, hours: draft.hours, from }
      : undefined;
  const problem =
    layers.length === 0
      ? offline.noLayers
      : draft.edges && !own
        ? download.problems[wrongEdges(draft.edges) ?? "latitudes"]
        : undefined;
  const edges = draft.edges ?? edgesOf(view);
  if (!canSave()) return <p className="text-sm">{offline.impossible}</p>;
  return (
    <div className="space-y-4">
      <p className="text-muted text-sm">{offline.about}</p>
      <List source={source} now={from} onShow={onShow} />
      <div className="space-y-3">
        <Choice
          title={general.title}
          options={[
            ["view", download.area.kinds.view],
            ["box", general.kinds.box],
          ]}
          value={draft.edges ? "box" : "view"}
          onChange={(kind) => change({ edges: kind === "box" ? edges : undefined })}
        />
        {draft.edges ? <BoxField edges={edges} near={c} onEdges={(edges) => change({ edges })} /> : null}
        <Button aria-pressed={isDrawing} onClick={drawBox}>
          {general.draw}
        </Button>
      </div>
      <fieldset className="min-w-0">
        <legend className="mb-1 text-muted text-xs">{offline.layers}</legend>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-3">
          {drawnVariables.map((name) => (
            <Checkbox
              key={name}
              checked={layers.includes(name)}
              onChange={(on) =>
                change({
                  layers: drawnVariables.filter((one) => (one === name ? on : layers.includes(one))),
                })
              }
            >
              {layerName(name, words)}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <NumberSelect
          title={offline.span}
          values={DAYS}
          value={draft.days}
          textOf={(days) => offline.days({ days })}
          onChange={(days) => change({ days })}
        />
        <NumberSelect
          title={download.times.step}
          values={HOURS}
          value={draft.hours}
          textOf={(hours) => download.times.hours({ hours })}
          onChange={(hours) => change({ hours })}
        />
      </div>
      <Foot wish={problem === undefined ? wish : undefined} problem={problem} source={source} />
    </div>
  );
}

interface SelectProps {
  title: string;
  values: readonly number[];
  value: number;
  textOf(value: number): string;
  onChange(value: number): void;
}

function NumberSelect({ title, values, value, textOf, onChange }: SelectProps) {
  return (
    <label className="form-field">
      {title}
      <select className="field" value={value} onChange={({ target }) => onChange(Number(target.value))}>
        {values.map((one) => (
          <option key={one} value={one}>
            {textOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FootProps {
  wish: AreaWish | undefined;
  problem: string | undefined;
  source: AreaSource;
}

/** The size of the area, and the button that saves it. */
function Foot({ wish, problem, source }: FootProps) {
  const words = useWords("download");
  const { actions, estimate, offline } = words.download;
  const key = useApiKey();
  const isOnline = useOnline();
  const saving = useAreaSaving();
  // The size is worked out only when typing and map movement have paused.
  const steady = useSteady(JSON.stringify(wish ?? null));
  const asked = useMemo(() => JSON.parse(steady) as AreaWish | null, [steady]);
  const query = useQuery({
    queryKey: ["area plan", key, steady],
    queryFn: async ({ signal }) => {
      const plan = await source.plan(key ?? "", asked!, signal);
      return { plan, load: await bytesToLoad(plan, signal), free: await freeSpace() };
    },
    enabled: key !== undefined && asked !== null && isOnline,
    // The free space changes with what is saved.
    staleTime: 0,
    // A browser does not always know that its network is gone, and then does not say that it is back.
    refetchInterval: ({ state }) => isUnreachable(state.error) && RETRY_MS,
    ...retryPolicy,
  });
  const isBusy = saving.is === "saving";
  const isLost = !isOnline || isUnreachable(query.error);
  const found = asked && query.data;
  const size = (bytes: number) => formatBytes(bytes, words);
  const reason =
    problem ??
    (isLost ? offline.noNetwork : undefined) ??
    (found ? whyNot(found.plan.bytes, found.free, size) : undefined);
  function whyNot(bytes: number, free: number | undefined, text: (bytes: number) => string) {
    if (bytes > MAX_BYTES) return offline.tooLarge({ size: text(bytes), most: text(MAX_BYTES) });
    return free !== undefined && bytes > free
      ? offline.noSpace({ size: text(bytes), free: text(free) })
      : undefined;
  }
  const isCurrent = steady === JSON.stringify(wish ?? null) && !query.isFetching;
  const isOff = !found || !isCurrent || reason !== undefined || key === undefined;
  return (
    <div className="form-foot -bottom-4 -mx-4 -mb-4 flex flex-col gap-2 px-4 [@media(max-height:30rem)]:gap-1 [@media(max-height:30rem)]:py-1.5">
      {isBusy ? (
        <>
          <progress
            className="task-progress"
            aria-label={offline.title}
            max={Math.max(1, saving.of)}
            value={saving.bytes}
          />
          <p className="text-sm tabular-nums">
            {offline.progress({ done: size(saving.bytes), size: size(saving.of) })}
          </p>
        </>
      ) : (
        <p role="status" aria-busy={!isCurrent} className="text-sm tabular-nums">
          {reason ??
            (found ? sizeText(found.plan.bytes, found.load) : query.error && asked ? "" : estimate.waiting)}
        </p>
      )}
      {query.error && asked && !isBusy && !isLost ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isBusy ? (
          <Button className="px-3" onClick={saving.cancel}>
            {actions.cancel}
          </Button>
        ) : (
          <Button
            primary
            className="px-3"
            disabled={isOff}
            onClick={() =>
              found &&
              key !== undefined &&
              void startSaving({
                key,
                former: undefined,
                plan: async () => found.plan,
                readLand: ({ wish: { box } }) => source.readLand(box),
              })
            }
          >
            {offline.save}
          </Button>
        )}
        {isOnline && isUnreachable(query.error) && !isBusy ? (
          <Button onClick={() => void query.refetch()}>{words.ui.tryAgain}</Button>
        ) : null}
      </div>
      <Outcome state={saving} />
    </div>
  );

  function sizeText(bytes: number, load: number | undefined): string {
    return load === undefined
      ? offline.size({ size: size(bytes) })
      : offline.sizeAndLoad({ size: size(bytes), load: size(load) });
  }
}

/** A sentence on how saving ended. */
function Outcome({ state }: { state: AreaSaving }) {
  const words = useWords("download");
  const { offline } = words.download;
  if (state.is === "failed")
    return (
      <p role="alert" className="text-sm">
        {errorText(state.error, words)}
      </p>
    );
  if (state.is === "idle" || state.is === "saving") return null;
  const text = offline.outcomes[state.is];
  return (
    <p className="text-sm" role={state.is === "full" || state.is === "lost" ? "alert" : "status"}>
      {state.is === "saved" && !state.isKept ? `${text} ${offline.notPromised}` : text}
    </p>
  );
}

interface ListProps {
  source: AreaSource;
  /** Full hour of the weather clock, Unix seconds. */
  now: number;
  onShow(box: ViewBox): void;
}

/** The saved areas with their sizes, and those that were removed because they were old. */
function List({ source, now, onShow }: ListProps) {
  const words = useWords("download");
  const { offline } = words.download;
  const key = useApiKey();
  const changes = useSyncExternalStore(areaChanges.subscribe, areaChanges.read, areaChanges.read);
  const isBusy = useAreaSaving().is === "saving";
  const { data: areas = [] } = useQuery({
    queryKey: ["saved areas", key, changes],
    queryFn: () => savedAreas(key ?? ""),
    enabled: key !== undefined,
    placeholderData: (before) => before,
    // How far an area is saved changes with each of its frames.
    refetchInterval: isBusy && COUNT_MS,
  });
  if (key === undefined || areas.length === 0) return null;
  const start = (area: SavedArea, wish: AreaWish) =>
    startSaving({
      key,
      former: area,
      plan: (signal) => source.plan(key, wish, signal),
      readLand: (plan) => source.readLand(plan.wish.box),
    });
  return (
    <section aria-label={offline.list}>
      <h3 className="mb-1 font-semibold text-sm">{offline.list}</h3>
      <ul className="divide-y divide-line border-line border-y">
        {areas.map((area) => (
          <AreaRow
            key={area.id}
            area={area}
            isBusy={isBusy}
            onShow={() => onShow(area.box)}
            onContinue={() => void start(area, area)}
            onAgain={() => void start(area, { ...area, from: now })}
            onDelete={() => void deleteArea(key, area.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  area: SavedArea & { saved: number };
  isBusy: boolean;
  onShow(): void;
  onContinue(): void;
  onAgain(): void;
  onDelete(): void;
}

function AreaRow({ area, isBusy, onShow, onContinue, onAgain, onDelete }: RowProps) {
  const zone = useZone("download");
  const { words } = zone;
  const { area: areaWords, offline } = words.download;
  const name = area.variables.map((variable) => layerName(variable, words)).join(words.ui.joins.list);
  const { south, north, west, east } = boxOfView(area.box);
  const until = area.until === undefined ? undefined : formatShortTime(area.until, zone);
  const state = {
    whole: until === undefined ? undefined : offline.until({ time: until }),
    part: offline.part({ percent: Math.floor((100 * area.saved) / Math.max(1, area.frames)) }),
    removed: offline.removed({ time: until ?? "" }),
  }[area.state];
  return (
    <li className="space-y-1 py-2">
      <p className="font-medium text-sm">{name}</p>
      <p className="text-muted text-xs tabular-nums">
        {positionText(south, west)} – {positionText(north, east)}
      </p>
      <p className="text-sm tabular-nums">
        {[state, area.state === "whole" ? formatBytes(area.bytes, words) : undefined]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <div className="flex flex-wrap gap-1">
        <Button className="plain px-1.5" onClick={onShow}>
          {areaWords.show}
        </Button>
        {area.state === "part" ? (
          <Button className="plain px-1.5" disabled={isBusy} onClick={onContinue}>
            {offline.continue}
          </Button>
        ) : (
          <Button className="plain px-1.5" disabled={isBusy} onClick={onAgain}>
            {offline.again}
          </Button>
        )}
        <Button
          className="plain px-1.5"
          disabled={isBusy}
          aria-label={offline.deleteNamed({ name })}
          onClick={onDelete}
        >
          {offline.delete}
        </Button>
      </div>
    </li>
  );
}
