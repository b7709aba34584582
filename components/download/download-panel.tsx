import "#components/api-client/without-eval.ts";
import type { ViewBox } from "@open-metocean/geo/box";
import { viewOfBox } from "@open-metocean/geo/box";
import { useEffect, useMemo, useState } from "react";
import { boxOfEdges, edgesOf } from "#components/fields/box-edges.ts";
import { BoxField } from "#components/fields/box-field.tsx";
import { PlaceField } from "#components/fields/place-field.tsx";
import { TimeField } from "#components/fields/time-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import {
  drawBox,
  showDownloadArea,
  takeDrawnBoxes,
  useDownloadArea,
  useFramedBox,
} from "#components/view-state/download-area.ts";
import { variableTitle } from "#components/view-state/overlays.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import { fileLimits } from "#lib/contract/files.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { DownloadFoot } from "./download-foot.tsx";
import {
  areaKinds,
  bodyOf,
  type Draft,
  filledIn,
  formatsOf,
  isNotInGrib,
  isSeries,
  keyOfPlace,
  newDraft,
  problemOf,
  type ShownView,
  seriesAt,
  steps,
  strides,
} from "./file-draft.ts";

export interface DownloadPanelProps {
  shown: ShownView;
  onShow(box: ViewBox): void;
}

/** The draft survives while another tab is shown. */
let kept = newDraft;

/** Makes a file of what the map shows, unless the user chooses otherwise. */
export function DownloadPanel({ shown, onShow }: DownloadPanelProps) {
  const words = useWords("download");
  const { download } = words;
  const [draft, setDraft] = useState(kept);
  useEffect(() => {
    kept = draft;
  }, [draft]);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  useEffect(
    () => takeDrawnBoxes((box) => setDraft((before) => ({ ...before, area: "box", edges: edgesOf(box) }))),
    [],
  );
  const { wantsSeries } = useDownloadArea("wantsSeries");
  useEffect(() => {
    if (!wantsSeries) return;
    setDraft((before) => seriesAt(wantsSeries, before));
    showDownloadArea({ wantsSeries: undefined });
  }, [wantsSeries]);
  const { variables, format } = filledIn(draft, shown);
  const problem = problemOf(draft, shown);
  const body = useMemo(
    () => (problem === undefined ? bodyOf(draft, shown) : undefined),
    [draft, shown, problem],
  );
  return (
    <section aria-label={download.title} className="space-y-4">
      <h2 data-opened tabIndex={-1} className="font-semibold text-lg">
        {download.title}
      </h2>
      <AreaFields draft={draft} shown={shown} onChange={change} onShow={onShow} />
      <fieldset className="min-w-0">
        <legend className="mb-1 text-muted text-xs">{download.variables.title}</legend>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-3">
          {variableNames.map((name) => (
            <Checkbox
              key={name}
              checked={variables.includes(name)}
              onChange={(on) =>
                change({ variables: on ? [...variables, name] : variables.filter((one) => one !== name) })
              }
            >
              <span>
                {variableTitle(name, words)}
                {format === "grib2" && variables.includes(name) && isNotInGrib(name) ? (
                  <span className="block text-xs">{download.variables.notInGrib}</span>
                ) : null}
              </span>
            </Checkbox>
          ))}
        </div>
        {draft.variables && !isSeries(draft) ? (
          <Button onClick={() => change({ variables: undefined })}>{download.variables.asShown}</Button>
        ) : null}
      </fieldset>
      <TimeFields draft={draft} shown={shown} onChange={change} />
      {isSeries(draft) ? null : (
        <label className="form-field">
          {download.resolution.title}
          <select
            className="field"
            value={draft.stride}
            onChange={({ target }) => change({ stride: Number(target.value) })}
          >
            {strides.map((stride) => (
              <option key={stride} value={stride}>
                {stride === 1 ? download.resolution.full : download.resolution.every({ stride })}
              </option>
            ))}
          </select>
        </label>
      )}
      <div>
        <Choice
          title={download.format.title}
          options={formatsOf(draft).map((one) => [one, download.format.names[one]] as const)}
          value={format}
          onChange={(chosen) => change({ format: chosen })}
        />
        <p className="mt-1 text-muted text-xs">{download.format.uses[format]}</p>
        {format === "grib2" ? (
          <>
            <Checkbox checked={draft.smaller} onChange={(smaller) => change({ smaller })}>
              {download.format.smaller}
            </Checkbox>
            <p className="text-muted text-xs">{download.format.smallerWhy}</p>
          </>
        ) : null}
      </div>
      <DownloadFoot body={body} problem={problem} />
    </section>
  );
}

interface Props {
  draft: Draft;
  shown: ShownView;
  onChange(part: Partial<Draft>): void;
}

function TimeFields({ draft, shown, onChange }: Props) {
  const zone = useZone("download");
  const { now } = useClock("now");
  const { times: words } = zone.words.download;
  const { from, to } = filledIn(draft, shown);
  return (
    <div className="space-y-3">
      {(["from", "to"] as const).map((end) => {
        const time = end === "from" ? from : to;
        return (
          <TimeField
            key={end}
            label={words[end]({ clock: zone.label(time) })}
            zone={zone}
            now={now}
            time={time}
            onChange={(chosen) => onChange({ [end]: chosen })}
          />
        );
      })}
      <label className="form-field">
        {words.step}
        <select
          className="field"
          value={draft.step ?? (isSeries(draft) ? 1 : "")}
          onChange={({ target }) => onChange({ step: steps.find((step) => String(step) === target.value) })}
        >
          {steps.map((step) => (
            <option key={step} value={step}>
              {words.hours({ hours: step })}
            </option>
          ))}
          {isSeries(draft) ? null : <option value="">{words.native}</option>}
        </select>
      </label>
    </div>
  );
}

interface AreaProps {
  draft: Draft;
  shown: ShownView;
  onChange(part: Partial<Draft>): void;
  onShow(box: ViewBox): void;
}

/**
 * The area: the view, a box that is drawn, found or typed, a point, saved places, around a storm, or along
 * the planned passage.
 */
function AreaFields({ draft, shown, onChange, onShow }: AreaProps) {
  const { download, area: general, position } = useWords("download", "area");
  const { area: words } = download;
  const view = useView("c");
  const { isDrawing } = useDownloadArea("isDrawing");
  const { edges, point, storm } = filledIn(draft, shown);
  const box = draft.area === "box" ? boxOfEdges(edges) : undefined;
  useFramedBox(box, true);
  const miles = (name: "radius" | "halfWidth", label: string) => (
    <TextField
      key={name}
      label={label}
      inputMode="decimal"
      defaultValue={draft[name]}
      onChange={(text) => {
        const number = readTypedDecimal(text);
        if (number > 0 && number <= fileLimits.miles) onChange({ [name]: number });
      }}
    />
  );
  return (
    <div className="space-y-3">
      <Choice
        title={general.title}
        options={areaKinds.map((kind) => [kind, { ...words.kinds, ...general.kinds }[kind]] as const)}
        value={draft.area}
        onChange={(area) => onChange({ area, ...(area === "box" && { edges }) })}
      />
      {draft.area === "view" ? <p className="text-muted text-sm">{words.follows}</p> : null}
      {draft.area === "view" || draft.area === "box" ? (
        <>
          <BoxField edges={edges} near={view.c} onEdges={(next) => onChange({ area: "box", edges: next })} />
          <div className="flex flex-wrap gap-2">
            <Button aria-pressed={isDrawing} onClick={drawBox}>
              {general.draw}
            </Button>
            {box ? <Button onClick={() => onShow(viewOfBox(box))}>{words.show}</Button> : null}
          </div>
        </>
      ) : null}
      {draft.area === "point" ? (
        <PlaceField
          label={position.field}
          placeholder={position.placeholder}
          text={point}
          picks
          finds
          near={view.c}
          onText={(text) => onChange({ point: text })}
          onFound={() => undefined}
        />
      ) : null}
      {draft.area === "places" ? <SavedPlaceChoice draft={draft} shown={shown} onChange={onChange} /> : null}
      {draft.area === "storm" ? (
        storm ? (
          <>
            <label className="form-field">
              {words.storm}
              <select
                className="field"
                value={storm.id}
                onChange={({ target }) => onChange({ storm: target.value })}
              >
                {shown.storms.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            {miles("radius", words.radius)}
          </>
        ) : (
          <p className="text-sm">{words.noStorms}</p>
        )
      ) : null}
      {draft.area === "route" ? (
        shown.route.length > 0 ? (
          miles("halfWidth", words.width)
        ) : (
          <p className="text-sm">{words.noRoute}</p>
        )
      ) : null}
    </div>
  );
}

/** The selection among saved places; initially all of them. */
function SavedPlaceChoice({ draft, shown, onChange }: Props) {
  const { area: words } = useWords("download").download;
  if (shown.saved.length === 0) return <p className="text-sm">{words.noPlaces}</p>;
  const chosen = filledIn(draft, shown).places.map(keyOfPlace);
  return (
    <fieldset className="max-h-52 min-w-0 overflow-y-auto">
      <legend className="sr-only">{words.kinds.places}</legend>
      {shown.saved.map((place) => {
        const key = keyOfPlace(place);
        return (
          <Checkbox
            key={key}
            checked={chosen.includes(key)}
            onChange={(on) =>
              onChange({ places: on ? [...chosen, key] : chosen.filter((other) => other !== key) })
            }
          >
            {place.name}
          </Checkbox>
        );
      })}
    </fieldset>
  );
}
