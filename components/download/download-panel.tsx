import "#components/api-client/without-eval.ts";
import { type ViewBox, viewOfBox } from "@open-metocean/geo/box";
import { useEffect, useSyncExternalStore } from "react";
import { Controller, type UseFormReturn, useForm } from "react-hook-form";
import type { FileBody } from "#components/api-client/services.ts";
import { boxOfEdges, type Edges, edgesOf } from "#components/fields/box-edges.ts";
import { BoxField } from "#components/fields/box-field.tsx";
import { firstProblem } from "#components/fields/contract-resolver.ts";
import { FormText } from "#components/fields/form-text.tsx";
import { PlaceField } from "#components/fields/place-field.tsx";
import { TimeField } from "#components/fields/time-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
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
import { mapLimits } from "#lib/contract/map2d.ts";
import { pointLimits } from "#lib/contract/point.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { createStore } from "#lib/store.ts";
import { DownloadFoot } from "./download-foot.tsx";
import {
  areaKinds,
  type Draft,
  draftCheck,
  filledIn,
  formatsOf,
  isNotInGrib,
  isSeries,
  keyOfPlace,
  newDraft,
  type ShownView,
  seriesAt,
  steps,
  strides,
} from "./file-draft.ts";
import { type AreaSource, SavedAreas } from "./saved-areas.tsx";

export interface DownloadPanelProps {
  shown: ShownView;
  /** Saves areas of the map on the device. */
  areas: AreaSource;
  onShow(box: ViewBox): void;
}

/** Whether the panel makes files, or saves areas on the device; it stays so while another tab is shown. */
const purpose = createStore<"file" | "device">(() => "file");

/** The draft survives while another tab is shown. */
const kept = createStore<Draft>(() => newDraft);

/** Makes a file of what the map shows, or saves an area of it on the device. */
export function DownloadPanel({ shown, areas, onShow }: DownloadPanelProps) {
  const { download } = useWords("download");
  const { offline } = download;
  const chosen = useSyncExternalStore(purpose.subscribe, purpose.read, purpose.read);
  const { wantsArea, wantsSeries } = useDownloadArea("wantsArea", "wantsSeries");
  useEffect(() => {
    if (wantsArea) purpose.set("device");
    else if (wantsSeries) purpose.set("file");
    if (wantsArea) showDownloadArea({ wantsArea: false });
  }, [wantsArea, wantsSeries]);
  return (
    <section aria-label={download.title} className="space-y-4">
      <h2 data-opened tabIndex={-1} className="font-semibold text-lg">
        {download.title}
      </h2>
      <Choice
        title={offline.purpose}
        options={[
          ["file", offline.purposes.file],
          ["device", offline.purposes.device],
        ]}
        value={chosen}
        onChange={purpose.set}
      />
      {chosen === "device" ? (
        <SavedAreas view={shown.box} source={areas} onShow={onShow} />
      ) : (
        <FileForm shown={shown} onShow={onShow} />
      )}
    </section>
  );
}

/** Makes a file of what the map shows, unless the user chooses otherwise. */
function FileForm({ shown, onShow }: Pick<DownloadPanelProps, "shown" | "onShow">) {
  const words = useWords("download");
  const { download } = words;
  const check = draftCheck(shown, (problem) => problemText(problem, words));
  const form = useForm<Draft, unknown, FileBody>({ defaultValues: kept.read(), resolver: check });
  const { control, register, setValue, reset, getValues } = form;
  const draft = form.watch();
  useEffect(() => () => kept.set(getValues()), [getValues]);
  useEffect(
    () =>
      takeDrawnBoxes((box) => {
        setValue("area", "box");
        setValue("edges", edgesOf(box));
      }),
    [setValue],
  );
  const { wantsSeries } = useDownloadArea("wantsSeries");
  useEffect(() => {
    if (!wantsSeries) return;
    reset(seriesAt(wantsSeries, getValues()));
    showDownloadArea({ wantsSeries: undefined });
  }, [wantsSeries, reset, getValues]);
  const { variables, format } = filledIn(draft, shown);
  const { values, errors } = check(draft);
  const problem = firstProblem(errors);
  return (
    <div className="space-y-4">
      <AreaFields form={form} draft={draft} shown={shown} onShow={onShow} />
      <fieldset className="min-w-0">
        <legend className="mb-1 text-muted text-xs">{download.variables.title}</legend>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-3">
          {variableNames.map((name) => (
            <Checkbox
              key={name}
              checked={variables.includes(name)}
              onChange={(on) =>
                setValue("variables", on ? [...variables, name] : variables.filter((one) => one !== name))
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
          <Button onClick={() => setValue("variables", undefined)}>{download.variables.asShown}</Button>
        ) : null}
      </fieldset>
      <TimeFields form={form} draft={draft} shown={shown} />
      {isSeries(draft) ? null : (
        <label className="form-field">
          {download.resolution.title}
          <select className="field" {...register("stride", { valueAsNumber: true })}>
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
          onChange={(chosen) => setValue("format", chosen)}
        />
        <p className="mt-1 text-muted text-xs">{download.format.uses[format]}</p>
        {format === "grib2" ? (
          <>
            <Controller
              control={control}
              name="smaller"
              render={({ field: { value, onChange } }) => (
                <Checkbox checked={value} onChange={onChange}>
                  {download.format.smaller}
                </Checkbox>
              )}
            />
            <p className="text-muted text-xs">{download.format.smallerWhy}</p>
          </>
        ) : null}
      </div>
      <DownloadFoot body={problem === undefined ? (values as FileBody) : undefined} problem={problem} />
    </div>
  );
}

function problemText(
  problem: keyof Messages["download"]["problems"],
  { download: { problems } }: WordsWith<"download">,
): string {
  const text = problems[problem];
  if (typeof text !== "function") return text;
  return text({
    days: mapLimits.rangeDays,
    places: fileLimits.points,
    values: pointLimits.sync,
    miles: fileLimits.miles,
  });
}

interface Props {
  form: UseFormReturn<Draft, unknown, FileBody>;
  draft: Draft;
  shown: ShownView;
}

function TimeFields({ form: { setValue }, draft, shown }: Props) {
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
            onChange={(chosen) => setValue(end, chosen)}
          />
        );
      })}
      <label className="form-field">
        {words.step}
        <select
          className="field"
          value={draft.step ?? (isSeries(draft) ? 1 : "")}
          onChange={({ target }) =>
            setValue(
              "step",
              steps.find((step) => String(step) === target.value),
            )
          }
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

interface AreaProps extends Props {
  onShow(box: ViewBox): void;
}

/**
 * The area: the view, a box that is drawn, found or typed, a point, saved places, around a storm, or along
 * the planned passage.
 */
function AreaFields({ form, draft, shown, onShow }: AreaProps) {
  const { download, area: general, position } = useWords("download", "area");
  const { area: words } = download;
  const view = useView("c");
  const { isDrawing } = useDownloadArea("isDrawing");
  const { control, setValue } = form;
  const { edges, point, storm } = filledIn(draft, shown);
  const box = draft.area === "box" ? boxOfEdges(edges) : undefined;
  useFramedBox(box, true);
  const chooseBox = (chosen: Edges) => {
    setValue("area", "box");
    setValue("edges", chosen);
  };
  return (
    <div className="space-y-3">
      <Choice
        title={general.title}
        options={areaKinds.map((kind) => [kind, { ...words.kinds, ...general.kinds }[kind]] as const)}
        value={draft.area}
        onChange={(area) => (area === "box" ? chooseBox(edges) : setValue("area", area))}
      />
      {draft.area === "view" ? <p className="text-muted text-sm">{words.follows}</p> : null}
      {draft.area === "view" || draft.area === "box" ? (
        <>
          <BoxField edges={edges} near={view.c} onEdges={chooseBox} />
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
          onText={(text) => setValue("point", text)}
          onFound={() => undefined}
        />
      ) : null}
      {draft.area === "places" ? <SavedPlaceChoice form={form} draft={draft} shown={shown} /> : null}
      {draft.area === "storm" ? (
        storm ? (
          <>
            <label className="form-field">
              {words.storm}
              <select
                className="field"
                value={storm.id}
                onChange={({ target }) => setValue("storm", target.value)}
              >
                {shown.storms.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            <FormText control={control} name="radius" label={words.radius} inputMode="decimal" />
          </>
        ) : (
          <p className="text-sm">{words.noStorms}</p>
        )
      ) : null}
      {draft.area === "route" ? (
        shown.route.length > 0 ? (
          <FormText control={control} name="halfWidth" label={words.width} inputMode="decimal" />
        ) : (
          <p className="text-sm">{words.noRoute}</p>
        )
      ) : null}
    </div>
  );
}

/** The selection among saved places; initially all of them. */
function SavedPlaceChoice({ form: { setValue }, draft, shown }: Props) {
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
              setValue("places", on ? [...chosen, key] : chosen.filter((other) => other !== key))
            }
          >
            {place.name}
          </Checkbox>
        );
      })}
    </fieldset>
  );
}
