import "#components/api-client/without-eval.ts";
import type { ViewBox } from "@open-metocean/geo/box";
import { type Box, viewOfBox } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { curlOfBody } from "#components/api-client/curl.ts";
import { listedEnsemblesQuery } from "#components/api-client/listed-ensembles.ts";
import { askWorkability, type WorkabilityResult } from "#components/api-client/workability-service.ts";
import { boxOfEdges, edgesAround, edgesOf } from "#components/fields/box-edges.ts";
import { BoxField } from "#components/fields/box-field.tsx";
import { LimitRow } from "#components/fields/limit-row.tsx";
import { TimeField } from "#components/fields/time-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { TextField } from "#components/ui/text-field.tsx";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import {
  drawBox,
  takeDrawnBoxes,
  useDownloadArea,
  useFramedBox,
} from "#components/view-state/download-area.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { workabilityLimits, workQuantities } from "#lib/contract/workability.ts";
import { positionText } from "#lib/position.ts";
import { workabilityCsv } from "#lib/workability/files.ts";
import { WorkabilityChart } from "./workability-chart.tsx";
import {
  bodyOf,
  type Draft,
  type DraftLimit,
  keepDraft,
  keptDraft,
  periods,
  type Quantity,
  timesOf,
  unitOf,
  withMembers,
} from "./workability-draft.ts";
import { ExceedanceTables, WorkabilityTable } from "./workability-tables.tsx";
import { percentText, verdictOf } from "./workability-verdict.ts";

interface Props {
  apiKey: string;
  place: Place;
  onClose(): void;
  onShow(box: ViewBox): void;
}

/** How much of a time is within limits at a place: the answer, the inputs, then months and levels. */
export function WorkabilityDialog({ apiKey, place, onClose, onShow }: Props) {
  const zone = useZone("workability", "area");
  const { words } = zone;
  const { workability, area, screen } = words;
  const view = useView("u");
  const { now } = useClock("now");
  const [draft, setDraft] = useState(() => keptDraft(words.language));
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  useEffect(() => keepDraft(draft), [draft]);
  const [inBox, setInBox] = useState(false);
  const [edges, setEdges] = useState(() => edgesAround({ place }));
  const { isDrawing } = useDownloadArea("isDrawing");
  const drawn = useRef<string>(undefined);
  useEffect(
    () =>
      takeDrawnBoxes((box) => {
        const around = edgesOf(box);
        drawn.current = JSON.stringify(boxOfEdges(around));
        setEdges(around);
      }),
    [],
  );
  const box = inBox ? boxOfEdges(edges) : undefined;
  useFramedBox(box, false);
  // The map moves only when typing has paused.
  const framed = useSteady(JSON.stringify(box ?? null));
  useEffect(() => {
    const shown = JSON.parse(framed) as Box | null;
    // The map already shows a box that was drawn on it, and is visible only beside the dialog.
    if (shown && framed !== drawn.current && window.matchMedia("(width >= 64rem)").matches)
      onShow(viewOfBox(shown));
  }, [framed, onShow]);
  const ensemble = useQuery(listedEnsemblesQuery(apiKey)).data?.[0]?.name;
  const found = useMemo(
    () => withMembers(bodyOf(draft, inBox ? { edges } : { point: place }, now, view.u, words), ensemble, now),
    [draft, inBox, edges, place, now, view.u, words, ensemble],
  );
  const asked = typeof found === "string" ? undefined : found;
  // The request is sent only when typing has paused.
  const steady = useSteady(JSON.stringify(asked ?? null));
  const [share, setShare] = useState<number>();
  const query = useQuery({
    queryKey: ["workability", apiKey, steady],
    queryFn: ({ signal }) => {
      setShare(undefined);
      const { body, asTask } = JSON.parse(steady) as NonNullable<typeof asked>;
      return askWorkability(apiKey, body, asTask, signal, setShare);
    },
    enabled: asked !== undefined && steady !== "null",
    staleTime: 10 * 60_000,
    placeholderData: (before) => before,
    ...retryPolicy,
  });
  const isOld = query.isPlaceholderData || steady !== JSON.stringify(asked ?? null);
  const result = query.data;
  const verdict = result && verdictOf(result, zone);
  return (
    <Dialog
      title={
        inBox
          ? screen.panel.windows
          : workability.title({ position: positionText(place.latitude, place.longitude) })
      }
      hidden={isDrawing}
      beside
      onClose={onClose}
    >
      <div className="space-y-4">
        <div role="status" aria-busy={isOld} className={isOld && asked ? "old-values" : ""}>
          {typeof found === "string" ? (
            <p>{workability[found]}</p>
          ) : query.error ? null : verdict ? (
            <>
              <p className="font-semibold text-xl">{verdict.share}</p>
              {verdict.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </>
          ) : null}
          {asked !== undefined && !query.error && (isOld || !verdict) ? (
            <p className="text-muted text-sm tabular-nums">
              {workability.reading({ share: percentText(share ?? 0, words) })}
            </p>
          ) : null}
        </div>
        {query.error ? <ErrorMessage error={query.error} onRetry={() => void query.refetch()} /> : null}
        <Choice
          title={area.title}
          options={[
            ["point", area.kinds.point],
            ["box", area.kinds.box],
          ]}
          value={inBox ? "box" : "point"}
          onChange={(kind) => setInBox(kind === "box")}
        />
        {inBox ? (
          <>
            <BoxField edges={edges} near={place} onEdges={setEdges} />
            <Button data-resumes onClick={drawBox}>
              {area.draw}
            </Button>
          </>
        ) : null}
        <LimitFields draft={draft} onChange={change} />
        {result ? (
          <div className={isOld ? "old-values space-y-4" : "space-y-4"}>
            <WorkabilityChart result={result} />
            <WorkabilityTable result={result} />
            <div className="flex flex-wrap gap-2">
              <Button className="px-4" disabled={isOld} onClick={() => saveCsv(result)}>
                {workability.csv}
              </Button>
              {asked ? (
                <CopyButton
                  text={() =>
                    curlOfBody("/workability", asked.asTask ? { ...asked.body, async: true } : asked.body)
                  }
                >
                  {words.point.copyAsCurl}
                </CopyButton>
              ) : null}
            </div>
            <ExceedanceTables result={result} />
            <p className="text-muted text-xs">{workability.method}</p>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}

function saveCsv({ results: rows, meta }: WorkabilityResult): void {
  // For a box these are its south-west and north-east corners.
  const corners = [...new Set([meta.places[0], meta.places.at(-1)])].filter((one) => one !== undefined);
  const parts = [...workabilityCsv({ rows, meta })] as Uint8Array<ArrayBuffer>[];
  const side = (degrees: number, letters: string) =>
    `${letters[degrees < 0 ? 1 : 0]}${Math.abs(degrees).toFixed(2)}`;
  const at = corners.map(({ latitude, longitude }) => side(latitude, "NS") + side(longitude, "EW"));
  const name = `open-metocean_workability_${at.join("_")}.csv`;
  saveFile(name, new Blob(parts, { type: "text/csv" }));
}

/** The inputs: limits, duration of an operation, and time. */
function LimitFields({ draft, onChange }: { draft: Draft; onChange(part: Partial<Draft>): void }) {
  const words = useWords("workability");
  const { workability } = words;
  const view = useView("u");
  const zone = useZone();
  const { now } = useClock("now");
  const { limits } = draft;
  const set = (at: number, part: Partial<DraftLimit>) =>
    onChange({ limits: limits.map((limit, index) => (index === at ? { ...limit, ...part } : limit)) });
  const unused = workQuantities.find((name) => !limits.some(({ quantity }) => quantity === name));
  const { from, to } = timesOf(draft, now);
  return (
    <div className="space-y-3">
      <fieldset className="space-y-2">
        <legend className="mb-1 text-muted text-xs">{workability.limits}</legend>
        {limits.map(({ quantity, is, value }, at) => {
          const { symbol } = unitOf(quantity, view.u, words);
          const of = words.catalog.outputs[quantity];
          return (
            <LimitRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity other than its content
              key={at}
              quantity={{
                value: quantity,
                onChange: ({ target }) => set(at, { quantity: target.value as Quantity }),
              }}
              quantities={workQuantities.map((name) => [name, words.catalog.outputs[name]] as const)}
              side={{
                value: is,
                onChange: ({ target }) => set(at, { is: target.value as DraftLimit["is"] }),
              }}
              sides={[
                ["max", workability.atMost],
                ["min", workability.atLeast],
              ]}
              value={{ value, onChange: ({ target }) => set(at, { value: target.value }) }}
              unit={symbol}
              labels={{
                quantity: workability.quantity,
                side: workability.side({ of }),
                value: `${of}, ${symbol}`,
                remove: workability.remove({ of }),
              }}
              onRemove={
                limits.length > 1
                  ? () => onChange({ limits: limits.filter((_, index) => index !== at) })
                  : undefined
              }
            />
          );
        })}
        {unused && limits.length < workabilityLimits.quantities ? (
          <Button
            className="plain px-1"
            onClick={() => onChange({ limits: [...limits, { quantity: unused, is: "max", value: "" }] })}
          >
            {workability.add}
          </Button>
        ) : null}
      </fieldset>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-32">
          <TextField
            label={workability.hours}
            inputMode="decimal"
            value={draft.hours}
            onChange={(hours) => onChange({ hours })}
          />
        </div>
        <Choice
          title={workability.period}
          options={periods.map((period) => [period, workability.periods[period]] as const)}
          value={draft.period}
          onChange={(period) => onChange(period === "own" ? { period, from, to } : { period })}
        />
      </div>
      {draft.period === "own" ? (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <TimeField
            label={workability.from}
            zone={zone}
            now={now}
            time={from}
            onChange={(time) => onChange({ from: time })}
          />
          <TimeField
            label={workability.to}
            zone={zone}
            now={now}
            time={to}
            onChange={(time) => onChange({ to: time })}
          />
        </div>
      ) : null}
    </div>
  );
}
