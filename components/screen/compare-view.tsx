import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useSyncExternalStore } from "react";
import { paintedDifference } from "#components/map/painted-value.ts";
import { Icon } from "#components/ui/icon.tsx";
import { utc, type Zone } from "#components/view-state/civil.ts";
import { type Compared, comparedHours, type Side } from "#components/view-state/compared.ts";
import { formatShortTime, formatZonedTime } from "#components/view-state/format-time.ts";
import { layerName, layerTitle, paintedBy, readingOf } from "#components/view-state/overlays.ts";
import type { StepPair } from "#components/view-state/timeline.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { drawnVariables, paintedOutput } from "#lib/catalog/colours.ts";
import { layerOf, type PaintedName, paintedStatistic } from "#lib/catalog/painted.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import type { Words, WordsWith } from "#lib/messages/words.ts";
import { parseInstant } from "#lib/time.ts";
import { differenceUnit, signedIn, type Units } from "#lib/units.ts";
import { ModelSelect } from "./model-select.tsx";
import { useWeather } from "./screen-context.tsx";
import type { CompareState } from "./use-compare.ts";

interface Props {
  compare: CompareState;
}

/** Titles of two compared pictures, the choice of the second one, and a button that ends the comparison. */
export function CompareBar({ compare }: Props) {
  const view = useView("l", "p", "u");
  const changeView = useChangeView();
  const zone = useZone("difference");
  const { compare: words, difference: texts, ui } = zone.words;
  const { retry, drawnSteps, pair, ...screen } = useWeather(
    "retry",
    "drawnSteps",
    "pair",
    "drawn",
    "drawnFixed",
    "drawnTime",
  );
  const { wanted, absent, time } = compare;
  const change = (to: Partial<typeof wanted>) => changeView({ cmp: { ...wanted, ...to } });
  const hours = [...new Set([...comparedHours, wanted.hours])].sort((a, b) => a - b);
  const isDrawn = screen.drawn !== undefined && pair !== undefined;
  const painted = paintedBy(view.l);
  const layer = (wanted.difference ? painted : undefined) ?? wanted.layer;
  const title = layerTitle(layer, zone.words);
  const wantedTime = time === undefined ? "" : formatZonedTime(time, zone);
  return (
    <section aria-label={words.title} className="compare-bar">
      <SideCard side="a">
        {isDrawn && screen.drawn ? (
          <Drawn
            layer={screen.drawn}
            time={screen.drawnFixed ? undefined : screen.drawnTime}
            steps={drawnSteps}
          />
        ) : (
          <span className="block">{words.nothing({ title: layerTitle(view.l, zone.words) })}</span>
        )}
      </SideCard>
      <SideCard side="b">
        <span className="compare-choices">
          {wanted.difference ? null : (
            <select
              aria-label={words.layer}
              className="field"
              value={wanted.layer}
              onChange={({ target }) => {
                const layer = drawnVariables.find((name) => name === target.value);
                if (layer) change({ layer });
              }}
            >
              {drawnVariables.map((name) => (
                <option key={name} value={name}>
                  {layerName(name, zone.words)}
                </option>
              ))}
            </select>
          )}
          <select
            aria-label={words.time}
            className="field"
            value={wanted.hours}
            onChange={({ target }) => change({ hours: Number(target.value) })}
          >
            {hours.map((value) => (
              <option key={value} value={value}>
                {hoursText(value, words.hours)}
              </option>
            ))}
          </select>
          <ModelSelect
            label={words.model}
            none={words.sameModel}
            value={wanted.earlier === undefined ? (wanted.model ?? null) : runChoice(wanted.earlier)}
            models={[
              ...(compare.models || wanted.model !== undefined
                ? [{ name: BEST, title: zone.words.screen.model.best }]
                : []),
              ...(compare.models ?? []),
            ]}
            others={{
              title: texts.runs,
              choices: compare.earlier.map((base, at) => ({
                name: runChoice(at + 1),
                title: words.run({ run: runTime(base, zone) }),
              })),
            }}
            onChange={(chosen) => change(modelOrRun(chosen))}
          />
        </span>
        {compare.pair && compare.drawn && absent !== "outside" ? (
          <Drawn
            // The control above already names the requested layer.
            layer={compare.drawn === layer ? undefined : compare.drawn}
            time={compare.drawnTime}
            steps={compare.steps}
          />
        ) : null}
        <span role="status" className="block">
          {absent === "loading" ? words.loading({ title, time: wantedTime || undefined }) : null}
          {absent === "outside" ? words.none({ title, time: wantedTime }) : null}
          {absent === "error" ? words.failed({ title }) : null}
        </span>
        {compare.difference && view.p ? (
          <p className="font-medium" data-testid="difference-here">
            {hereText(compare.difference, view.p, view.u, zone.words)}
          </p>
        ) : null}
        {absent === "error" ? (
          <button type="button" className="button px-3" onClick={retry}>
            {ui.tryAgain}
          </button>
        ) : null}
      </SideCard>
      <div className="flex flex-none flex-col gap-1 pointer-events-auto">
        <button
          type="button"
          className="button surface"
          aria-label={words.close}
          title={words.close}
          onClick={() => changeView({ cmp: null })}
        >
          <Icon name="close" />
        </button>
        {screen.drawnFixed || (painted && paintedStatistic(painted)) ? null : (
          <button
            type="button"
            className="toggle surface whitespace-nowrap"
            aria-pressed={wanted.difference === true}
            aria-label={texts.explain}
            title={texts.explain}
            onClick={() =>
              change({ difference: wanted.difference ? undefined : true, layer: layerOf(layer) })
            }
          >
            {texts.show}
          </button>
        )}
      </div>
    </section>
  );
}

const RUN = "run ";

/** The choice of an earlier run, which no name of a model equals. @param back 1 for the run before. */
const runChoice = (back: number) => `${RUN}${back}`;

/**
 * The change of the comparison that a choice of B's model makes. An earlier run is one of the chosen model, and a model answers
 * by its newest run.
 */
function modelOrRun(chosen: string | null): Partial<Compared> {
  if (chosen?.startsWith(RUN)) return { earlier: Number(chosen.slice(RUN.length)), sampled: "a" };
  return { model: chosen ?? undefined, earlier: undefined };
}

/** The difference at the sampled point, with its sign. */
function hereText(
  { variable, pair, base }: NonNullable<CompareState["difference"]>,
  place: Place,
  units: Units,
  words: WordsWith<"difference">,
): string {
  const value = paintedDifference(pair, base, variable, place);
  if (Number.isNaN(value)) return words.difference.nothing;
  const unit = differenceUnit(paintedOutput(variable).unit, units, readingOf(variable), words);
  return words.difference.here({ value: signedIn(value, unit) });
}

function SideCard({ side, children }: { side: Side; children: ReactNode }) {
  const zone = useZone();
  const { compare: words } = zone.words;
  return (
    <section
      aria-label={words.where[side]}
      className="surface compare-side"
      data-side={side}
      data-testid={`side-${side}`}
    >
      <strong className="grid size-6 flex-none place-items-center rounded-sm bg-accent text-on-accent max-md:size-5">
        {words.side[side]}
      </strong>
      <div className="min-w-0 flex-1">{children}</div>
    </section>
  );
}

interface DrawnProps {
  /** undefined if it is already named. */
  layer: PaintedName | undefined;
  /** Unix seconds; undefined if it does not change with time. */
  time: number | undefined;
  steps: StepPair | undefined;
}

/** The drawn layer, time and run. */
function Drawn({ layer, time, steps }: DrawnProps) {
  const zone = useZone();
  const { compare: words } = zone.words;
  return (
    <>
      {layer ? <span className="block font-medium">{layerName(layer, zone.words)}</span> : null}
      <span className="block tabular-nums">
        {time === undefined ? words.fixed : formatZonedTime(time, zone)}
      </span>
      {steps && time !== undefined ? (
        <span className="block text-muted tabular-nums">
          {steps.run.model} · {words.run({ run: runTime(steps.run.reference_time, zone) })}
        </span>
      ) : null}
    </>
  );
}

function runTime(base: string, zone: Zone): string {
  return formatShortTime(parseInstant(base), { ...utc, words: zone.words });
}

/** Steps of the keys, percent of the width. */
const KEY_STEP = 2;
const PAGE_STEP = 10;

/** The divider between two pictures: a slider for mouse, touch and keyboard. */
export function CompareDivider({ compare: { divider, wanted, drawn } }: Props) {
  const view = useView("l");
  const changeView = useChangeView();
  const zone = useZone();
  const { compare: words } = zone.words;
  const screen = useWeather("drawn");
  const percentNow = () => Math.round(100 * divider.at);
  const percent = useSyncExternalStore(divider.onMove, percentNow, percentNow);
  const area = useRef<HTMLDivElement>(null);
  const commit = () => changeView({ cmp: { ...wanted, percent: percentNow() } });
  const moveTo = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = area.current?.getBoundingClientRect() ?? {};
    // Rounding to a whole percent lets a link reproduce the same picture.
    divider.move(Math.round((100 * (clientX - left)) / width) / 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: percent - KEY_STEP,
      ArrowDown: percent - KEY_STEP,
      ArrowRight: percent + KEY_STEP,
      ArrowUp: percent + KEY_STEP,
      PageDown: percent - PAGE_STEP,
      PageUp: percent + PAGE_STEP,
      Home: 0,
      End: 100,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    divider.move(to / 100);
    commit();
  };
  return (
    <div ref={area} className="absolute inset-0 overflow-hidden pointer-events-none">
      <div
        role="slider"
        tabIndex={0}
        aria-label={words.divider}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={words.dividerAt({
          percent,
          a: layerTitle(screen.drawn ?? view.l, zone.words),
          b: layerTitle(drawn ?? wanted.layer, zone.words),
        })}
        className="compare-divider"
        style={{ left: `${percent}%` }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event);
        }}
        onPointerUp={commit}
        onPointerCancel={commit}
      >
        <span className="compare-handle" aria-hidden="true">
          <span>{words.side.a}</span>
          <span>{words.side.b}</span>
        </span>
      </div>
    </div>
  );
}

/** Time of B relative to A. @param hours Negative if B is earlier. */
function hoursText(hours: number, { same, later, earlier }: Words["compare"]["hours"]): string {
  return hours === 0 ? same : hours > 0 ? later({ hours }) : earlier({ hours: -hours });
}
