import "#components/api-client/without-eval.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { Controller, type UseFormReturn, useFieldArray, useForm, useWatch } from "react-hook-form";
import { listedEnsemblesQuery } from "#components/api-client/listed-ensembles.ts";
import { windModelsQuery } from "#components/api-client/listed-models.ts";
import { isAcrossLand, stationsAroundQuery, tideQuery } from "#components/api-client/tide-queries.ts";
import { firstProblem } from "#components/fields/contract-resolver.ts";
import { FormText } from "#components/fields/form-text.tsx";
import { LimitRow } from "#components/fields/limit-row.tsx";
import { PlaceField } from "#components/fields/place-field.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { usePlacePick } from "#components/view-state/place-pick.ts";
import { useWords } from "#components/words/words-context.ts";
import type { TideStation } from "#lib/contract/tides.ts";
import { type Watch, watchLimits, watchRequest } from "#lib/contract/watch.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { errorText } from "#lib/messages/fault.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { Words } from "#lib/messages/words.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { agreements } from "#lib/watches/message.ts";
import { hourlyQuantities, rowOf } from "#lib/watches/quantities.ts";
import { AddChannel, channelsQuery } from "./channels.tsx";
import { Rings, RingsSummary } from "./rings.tsx";
import {
  type About,
  type ChosenStation,
  coefficientRange,
  type Draft,
  draftKinds,
  draftOf,
  draftResolver,
  extremeFilters,
  isOfTides,
  nameOf,
  newDraft,
} from "./watch-draft.ts";
import { type SentWatch, saveWatch, watchesKey } from "./watch-requests.ts";

interface Props {
  apiKey: string;
  /** The subject of a new watch, or the watch to change. */
  about: About | Watch;
  /** A map on which places can be picked lies behind the dialog. */
  picks?: boolean;
  onClose(): void;
}

/** Creates a watch or changes one. Its subject is filled in, so that saving suffices. */
export function WatchDialog({ apiKey, about, picks = false, onClose }: Props) {
  const isPicking = usePlacePick() !== undefined;
  const words = useWords("watches");
  const { watches } = words;
  const { form, rings } = watches;
  const changed = "id" in about ? about : undefined;
  const fields = useForm<Draft, unknown, SentWatch>({
    defaultValues: "id" in about ? draftOf(about, watches, words.language) : newDraft(about, words.language),
    resolver: draftResolver(words, changed),
  });
  const { control, getValues, setValue, clearErrors, formState } = fields;
  const draft = fields.watch();
  const [isAdding, setAdding] = useState(false);
  const help = useId();
  const client = useQueryClient();
  const channels = useQuery(channelsQuery(apiKey));
  const saving = useMutation({
    mutationFn: (body: SentWatch) => saveWatch(apiKey, body, changed?.id),
    onSuccess: () => client.invalidateQueries({ queryKey: watchesKey(apiKey) }),
  });
  const submit = fields.handleSubmit((body) => {
    if (!saving.isPending) saving.mutate(body);
  });
  const number = (
    name: "ahead" | "windowAhead" | "lasting" | "within" | "tideAhead" | "minutesBefore",
    label: string,
  ) => <FormText control={control} name={name} label={label} inputMode="decimal" problemId={help} />;
  const titleOfNew = draft.route || !("place" in about) ? watches.page.add : form.title;
  const title = changed ? form.changeTitle : titleOfNew;
  if (saving.isSuccess)
    return (
      <Dialog title={title} onClose={onClose}>
        <div className="space-y-4">
          <p role="status">{savedText(draft.kind, form)}</p>
          <RingsSummary apiKey={apiKey} chosen={saving.data.channels} />
          <div className="flex flex-wrap gap-2">
            <button type="button" className="button primary px-4" onClick={onClose}>
              {words.ui.close}
            </button>
            {changed ? null : (
              <a className="button link-button px-4" href="/inbox">
                {form.toList}
              </a>
            )}
          </div>
        </div>
      </Dialog>
    );
  const hasPlace = draft.kind !== "run" && !isOfTides(draft.kind) && !draft.route;
  const problem = firstProblem(formState.errors);
  return (
    <Dialog title={title} hidden={isPicking} onClose={isAdding ? () => setAdding(false) : onClose}>
      {isAdding ? (
        <>
          <AddChannel
            apiKey={apiKey}
            sendsMail={channels.data?.mail === true}
            onAdded={({ id }) => {
              // The choice may have changed since the form was sent.
              const chosen = getValues("channels");
              if (chosen) setValue("channels", [...chosen, id]);
              void channels.refetch();
            }}
            onDone={() => setAdding(false)}
          />
          <button type="button" className="button mt-4 px-4" onClick={() => setAdding(false)}>
            {rings.back}
          </button>
        </>
      ) : null}
      <form className="space-y-4" noValidate hidden={isAdding} onSubmit={(event) => void submit(event)}>
        <Choice
          title={form.kind}
          options={draftKinds
            .filter((kind) => !draft.route || kind === "danger" || kind === "storm")
            .map((kind) => [kind, form.kinds[kind]] as const)}
          value={draft.kind}
          onChange={(kind) => {
            setValue("kind", kind);
            clearErrors();
          }}
        />
        {draft.route && draft.kind !== "run" ? <p className="text-sm">{form.routeAbout}</p> : null}
        {draft.kind === "danger" ? (
          <>
            <Choice
              title={form.when}
              options={[
                ["any", form.any],
                ["all", form.all],
              ]}
              value={draft.join}
              onChange={(join: "any" | "all") => setValue("join", join)}
            />
            <ConditionFields key="conditions" fields={fields} name="conditions" help={help} />
          </>
        ) : null}
        {draft.kind === "window" ? (
          <ConditionFields key="windowConditions" fields={fields} name="windowConditions" help={help} />
        ) : null}
        {isOfTides(draft.kind) ? (
          <TideFields apiKey={apiKey} fields={fields} picks={picks} help={help} />
        ) : null}
        {draft.kind === "danger" || draft.kind === "window" ? (
          <ModelChoice apiKey={apiKey} fields={fields} help={help} />
        ) : null}
        <div className="watch-fields">
          {draft.kind === "storm" ? number("within", form.within) : null}
          {draft.kind === "window" ? number("lasting", form.lasting) : null}
          {draft.kind === "window" ? number("windowAhead", form.ahead) : null}
          {draft.kind === "tide" ? number("tideAhead", form.ahead) : null}
          {draft.kind === "extreme" ? number("minutesBefore", form.minutesBefore) : null}
          {hasPlace && draft.kind !== "window" ? number("ahead", form.ahead) : null}
        </div>
        {hasPlace ? <Position fields={fields} picks={picks} help={help} /> : null}
        <Controller
          control={control}
          name="name"
          render={({ field }) => (
            <TextField
              {...field}
              label={form.name}
              maxLength={watchRequest.shape.name.maxLength!}
              value={draft.name ?? nameOf(draft, watches)}
            />
          )}
        />
        <Rings
          apiKey={apiKey}
          chosen={draft.channels}
          kind={draft.kind}
          onChange={(chosen) => setValue("channels", chosen)}
          onAdd={() => setAdding(true)}
        />
        {draft.kind === "run" ? null : (
          <p className="text-muted text-sm">
            {isOfTides(draft.kind) ? watches.message.tideOnly : form.margin}
          </p>
        )}
        <div className="form-foot flex flex-wrap gap-2">
          {problem ? (
            <p id={help} role="alert" className="w-full text-sm">
              {problem}
            </p>
          ) : null}
          {saving.error ? (
            <p role="alert" className="w-full text-sm">
              {errorText(saving.error, words)}
            </p>
          ) : null}
          <RingsSummary apiKey={apiKey} chosen={draft.channels} />
          <button type="submit" className="button primary px-4" aria-disabled={saving.isPending}>
            {saving.isPending ? form.saving : form.save}
          </button>
          <button type="button" className="button px-4" onClick={onClose}>
            {form.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function savedText(kind: Draft["kind"], { tideSaved, extremeSaved, saved }: Messages["watches"]["form"]) {
  if (kind === "extreme") return extremeSaved;
  return kind === "tide" ? tideSaved : saved;
}

interface FieldProps {
  fields: UseFormReturn<Draft, unknown, SentWatch>;
  /** Id of what is said about a field that is wrong. */
  help: string;
}

/** Whether the best forecast is asked, any, most or all of the models, or the members of an ensemble. */
function ModelChoice({ apiKey, fields, help }: { apiKey: string } & FieldProps) {
  const { form } = useWords("watches").watches;
  const offered = useQuery(windModelsQuery(apiKey)).data ?? [];
  const ensembles = useQuery(listedEnsemblesQuery(apiKey)).data ?? [];
  const [agree, chosen, ensemble] = useWatch({
    control: fields.control,
    name: ["agree", "models", "ensemble"],
  });
  const count = chosen.length > 0 ? chosen.length : offered.length;
  // The ensemble of an existing watch stays one, also while the archive has none of its members.
  const asked =
    ensemble === undefined
      ? ensembles[0]
      : (ensembles.find(({ name }) => name === ensemble) ?? { name: ensemble, title: ensemble });
  if (count < 2 && !asked) return null;
  return (
    <div className="space-y-1.5">
      <Choice
        title={form.models}
        options={[
          ["best", form.oneModel],
          ...(count < 2 ? [] : agreements.map((name) => [name, form.agree[name]({ count })] as const)),
          ...(asked ? [["members", form.members({ ensemble: asked.title })] as const] : []),
        ]}
        value={agree}
        onChange={(wanted: Draft["agree"]) => {
          fields.setValue("agree", wanted);
          if (wanted === "members") return fields.setValue("ensemble", asked?.name);
          if (chosen.length === 0)
            fields.setValue(
              "models",
              offered.map(({ name }) => name),
            );
        }}
      />
      {agree === "members" ? (
        <div className="watch-fields">
          <FormText
            control={fields.control}
            name="percent"
            label={form.percent}
            inputMode="numeric"
            problemId={help}
          />
        </div>
      ) : null}
      {agree === "best" ? null : (
        <p className="text-muted text-sm">{agree === "members" ? form.membersAbout : form.modelsAbout}</p>
      )}
    </div>
  );
}

interface PlaceProps extends FieldProps {
  picks: boolean;
  onText?(): void;
}

function Position({ fields: { control, getValues }, help, picks, onText }: PlaceProps) {
  const { position } = useWords();
  return (
    <Controller
      control={control}
      name="position"
      render={({ field, fieldState }) => (
        <PlaceField
          ref={field.ref}
          label={position.field}
          text={field.value}
          problem={fieldState.error && help}
          picks={picks}
          near={getValues("place")}
          onText={(text) => {
            field.onChange(text);
            onText?.();
          }}
        />
      )}
    />
  );
}

/** Most stations to choose from, and their largest distance, km; farther along a coast the tide differs. */
const [STATIONS, NEAR_KM] = [6, 100];

interface TideProps extends FieldProps {
  apiKey: string;
  picks: boolean;
}

/** Selection of a station near a place, and of a height of its tide, or of its high and low waters. */
function TideFields({ apiKey, fields, picks, help }: TideProps) {
  const words = useWords("watches");
  const { form, page } = words.watches;
  const { setValue } = fields;
  const [station, position, kind] = useWatch({
    control: fields.control,
    name: ["station", "position", "kind"],
  });
  const reading = readPosition(position, [words.language]);
  const place = reading.kind === "place" ? reading.place : undefined;
  const near = useQuery({
    ...stationsAroundQuery(apiKey, place ?? { latitude: 0, longitude: 0 }, STATIONS, "tide"),
    enabled: place !== undefined,
  });
  // For an existing watch the place is unknown, so its station is read.
  const own = useQuery({
    ...tideQuery(apiKey, station?.id ?? "", {}),
    enabled: place === undefined && station !== undefined,
  });
  const [asked, listed] = place
    ? [near, near.data?.filter(({ distance_km: km = 0 }) => km <= NEAR_KM)]
    : [own, own.data && [own.data.station]];
  const nearest = listed?.find((station) => !isAcrossLand(station));
  const isListed = listed?.some(({ id }) => id === station?.id);
  // The nearest station by water is selected until the user selects another.
  useEffect(() => {
    if (listed && !isListed && nearest?.id !== station?.id) setValue("station", nearest && chosenOf(nearest));
  }, [listed, isListed, nearest, station, setValue]);
  return (
    <>
      <Position fields={fields} picks={picks} help={help} onText={() => setValue("station", undefined)} />
      {asked.error ? (
        <p role="alert" className="text-sm">
          {errorText(asked.error, words)}
        </p>
      ) : null}
      {asked.isLoading ? <p role="status">{page.reading}</p> : null}
      {listed?.length === 0 ? <p role="status">{form.noStation}</p> : null}
      {listed && listed.length > 0 ? (
        <label className="form-field">
          {form.station}
          <select
            className="field"
            value={station?.id ?? ""}
            onChange={({ target }) =>
              setValue("station", chosenOf(listed.find(({ id }) => id === target.value)!))
            }
          >
            {station ? null : <option value="" />}
            {listed.map((one) => (
              <option key={one.id} value={one.id}>
                {stationText(one, words)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {kind === "tide" ? (
        <HeightFields fields={fields} help={help} />
      ) : (
        <ExtremeFields
          fields={fields}
          help={help}
          isFrench={listed?.find(({ id }) => id === station?.id)?.country === "France"}
        />
      )}
    </>
  );
}

const chosenOf = ({ id, name, datum }: TideStation): ChosenStation => ({ id, name, datum: datum ?? "" });

/** A limit on the height of the tide. */
function HeightFields({ fields: { control, register }, help }: FieldProps) {
  const { form } = useWords("watches").watches;
  return (
    <div className="watch-fields">
      <label className="form-field">
        {form.comparison}
        <select className="field" {...register("tideSide")}>
          <option value="over">&gt;</option>
          <option value="under">&lt;</option>
        </select>
      </label>
      <HeightLimit control={control} name="tideLimit" help={help} />
    </div>
  );
}

interface HeightProps {
  control: FieldProps["fields"]["control"];
  name: "tideLimit" | "heightLimit";
  help: string;
}

function HeightLimit({ control, name, help }: HeightProps) {
  const { form } = useWords("watches").watches;
  const station = useWatch({ control, name: "station" });
  const label = station ? form.tideLimit(station) : form.limit({ unit: "m" });
  return <FormText control={control} name={name} label={label} inputMode="decimal" problemId={help} />;
}

/**
 * High waters, low waters or both, and whether only some of them. @param isFrench Whether coefficients may be
 * known.
 */
function ExtremeFields({ fields, help, isFrench }: FieldProps & { isFrench: boolean }) {
  const { form } = useWords("watches").watches;
  const { control, register, setValue } = fields;
  const [extremeType, filter] = useWatch({ control, name: ["extremeType", "filter"] });
  const [least, most] = coefficientRange;
  return (
    <>
      <Choice
        title={form.before}
        options={(["high", "low", "either"] as const).map((type) => [type, form.types[type]] as const)}
        value={extremeType}
        onChange={(type) => setValue("extremeType", type)}
      />
      <div className="watch-fields">
        <label className="form-field">
          {form.only}
          <select className="field" {...register("filter")}>
            {extremeFilters
              .filter((one) => isFrench || one !== "coefficient" || filter === one)
              .map((one) => (
                <option key={one} value={one}>
                  {form.filters[one]}
                </option>
              ))}
          </select>
        </label>
        {filter === "over" || filter === "under" ? (
          <HeightLimit control={control} name="heightLimit" help={help} />
        ) : null}
        {filter === "coefficient" ? (
          <FormText
            control={control}
            name="coefficient"
            label={form.coefficient({ least, most })}
            inputMode="numeric"
            problemId={help}
          />
        ) : null}
      </div>
    </>
  );
}

/** Text such as `Brest · 6 n mi`, with a note if land lies between. */
function stationText(station: TideStation, words: Words): string {
  const { name, distance_km: km = 0 } = station;
  const parts = [
    name,
    km < 0.1 ? "" : formatMiles(km, words),
    isAcrossLand(station) ? words.position.acrossLand : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

interface ConditionProps extends FieldProps {
  name: "conditions" | "windowConditions";
}

/** Quantities with their limits; some can be added and removed. */
function ConditionFields({ fields: { control, register, formState }, name, help }: ConditionProps) {
  const { catalog, watches } = useWords("watches");
  const { form, quantities } = watches;
  const units: Readonly<Record<string, { symbol: string }>> = catalog.units;
  const { fields: rows, append, remove } = useFieldArray({ control, name });
  const values = useWatch({ control, name });
  return (
    <div className="space-y-3">
      <ul className="space-y-3">
        {rows.map(({ id, ...row }, index) => {
          const { quantity } = values[index] ?? row;
          const { unit } = rowOf(quantity);
          const { symbol } = units[unit] ?? { symbol: unit };
          const title = quantities[quantity];
          const isWrong = formState.errors[name]?.[index]?.limit !== undefined;
          return (
            <li key={id}>
              <LimitRow
                quantity={register(`${name}.${index}.quantity`)}
                quantities={hourlyQuantities.map((one) => [one, quantities[one]] as const)}
                side={register(`${name}.${index}.side`)}
                sides={[
                  ["over", ">"],
                  ["under", "<"],
                ]}
                value={{
                  ...register(`${name}.${index}.limit`),
                  ...(isWrong && { "aria-invalid": true, "aria-describedby": help }),
                }}
                unit={symbol}
                labels={{
                  quantity: form.quantity,
                  side: `${title}, ${form.comparison}`,
                  value: `${title}, ${form.limit({ unit: symbol })}`,
                  remove: `${form.removeCondition} ${title}`,
                }}
                onRemove={() => remove(index)}
              />
            </li>
          );
        })}
      </ul>
      {rows.length < watchLimits.conditions ? (
        <button
          type="button"
          className="toggle"
          onClick={() => append({ quantity: "wind_kt", side: "over", limit: "25" }, { shouldFocus: false })}
        >
          {form.addCondition}
        </button>
      ) : null}
    </div>
  );
}
