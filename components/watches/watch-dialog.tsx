import "#components/api-client/without-eval.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { isAcrossLand, stationsAroundQuery, tideQuery } from "#components/api-client/tide-queries.ts";
import { LimitRow } from "#components/fields/limit-row.tsx";
import { PlaceField } from "#components/fields/place-field.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { usePlacePick } from "#components/view-state/place-pick.ts";
import { useWords } from "#components/words/words-context.ts";
import type { TideStation } from "#lib/contract/tides.ts";
import { type Watch, watchLimits } from "#lib/contract/watch.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { errorText } from "#lib/messages/fault.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { hourlyQuantities, rowOf } from "#lib/watches/quantities.ts";
import { AddChannel, channelsQuery } from "./channels.tsx";
import { Rings, RingsSummary } from "./rings.tsx";
import {
  type About,
  type Draft,
  type DraftCondition,
  type DraftProblem,
  draftKinds,
  draftOf,
  type ExtremeFilter,
  extremeFilters,
  isOfTides,
  nameOf,
  newDraft,
  requestOf,
} from "./watch-draft.ts";
import { saveWatch, watchesKey } from "./watch-requests.ts";

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
  const watch = "id" in about ? about : undefined;
  const [draft, setDraft] = useState(() =>
    "id" in about ? draftOf(about, watches) : newDraft(about, watches),
  );
  const [problem, setProblem] = useState<DraftProblem>();
  const [isAdding, setAdding] = useState(false);
  const client = useQueryClient();
  const channels = useQuery(channelsQuery(apiKey));
  const saving = useMutation({
    mutationFn: (body: Parameters<typeof saveWatch>[1]) => saveWatch(apiKey, body, watch?.id),
    onSuccess: () => client.invalidateQueries({ queryKey: watchesKey(apiKey) }),
  });
  /** A name that was not typed follows the content. */
  const change = (part: Partial<Draft>) =>
    setDraft((before) => {
      const after = { ...before, ...part };
      const isOwn = part.name !== undefined || before.name !== nameOf(before, watches);
      return isOwn ? after : { ...after, name: nameOf(after, watches) };
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving.isPending) return;
    const asked = requestOf(draft, words.language, watches, watch);
    setProblem("problem" in asked ? asked.problem : undefined);
    if ("body" in asked) saving.mutate(asked.body);
  };
  const field = (
    name: "ahead" | "windowAhead" | "lasting" | "within" | "tideAhead" | "minutesBefore",
    label: string,
  ) => (
    <TextField
      label={label}
      inputMode="decimal"
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  const titleOfNew = draft.route || !("place" in about) ? watches.page.add : form.title;
  const title = watch ? form.changeTitle : titleOfNew;
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
            {watch ? null : (
              <a className="button link-button px-4" href="/inbox">
                {form.toList}
              </a>
            )}
          </div>
        </div>
      </Dialog>
    );
  if (isAdding)
    return (
      <Dialog title={title} onClose={() => setAdding(false)}>
        <AddChannel
          apiKey={apiKey}
          sendsMail={channels.data?.mail === true}
          onAdded={({ id }) => {
            if (draft.channels) change({ channels: [...draft.channels, id] });
            void channels.refetch();
          }}
        />
        <button type="button" className="button mt-4 px-4" onClick={() => setAdding(false)}>
          {rings.back}
        </button>
      </Dialog>
    );
  const hasPlace = draft.kind !== "run" && !isOfTides(draft.kind) && !draft.route;
  return (
    <Dialog title={title} hidden={isPicking} onClose={onClose}>
      <form className="space-y-4" noValidate onSubmit={submit}>
        <Choice
          title={form.kind}
          options={draftKinds
            .filter((kind) => !draft.route || kind === "danger" || kind === "storm")
            .map((kind) => [kind, form.kinds[kind]] as const)}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
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
              onChange={(join: "any" | "all") => change({ join })}
            />
            <ConditionFields
              conditions={draft.conditions}
              watches={watches}
              onChange={(conditions) => change({ conditions })}
            />
          </>
        ) : null}
        {draft.kind === "window" ? (
          <ConditionFields
            conditions={draft.windowConditions}
            watches={watches}
            onChange={(windowConditions) => change({ windowConditions })}
          />
        ) : null}
        {isOfTides(draft.kind) ? (
          <TideFields apiKey={apiKey} draft={draft} picks={picks} onChange={change} />
        ) : null}
        <div className="watch-fields">
          {draft.kind === "storm" ? field("within", form.within) : null}
          {draft.kind === "window" ? field("lasting", form.lasting) : null}
          {draft.kind === "window" ? field("windowAhead", form.ahead) : null}
          {draft.kind === "tide" ? field("tideAhead", form.ahead) : null}
          {draft.kind === "extreme" ? field("minutesBefore", form.minutesBefore) : null}
          {hasPlace && draft.kind !== "window" ? field("ahead", form.ahead) : null}
        </div>
        {hasPlace ? (
          <PlaceField
            label={words.position.field}
            text={draft.position}
            picks={picks}
            near={draft.place}
            onText={(position) => change({ position })}
          />
        ) : null}
        <TextField
          label={form.name}
          value={draft.name}
          maxLength={200}
          onChange={(name) => change({ name })}
        />
        <Rings
          apiKey={apiKey}
          chosen={draft.channels}
          kind={draft.kind}
          onChange={(chosen) => change({ channels: chosen })}
          onAdd={() => setAdding(true)}
        />
        {draft.kind === "run" ? null : (
          <p className="text-muted text-sm">
            {isOfTides(draft.kind) ? watches.message.tideOnly : form.margin}
          </p>
        )}
        <div className="form-foot flex flex-wrap gap-2">
          {problem ? (
            <p role="alert" className="w-full text-sm">
              {problemText(problem, watches, words)}
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

/** Most stations to choose from, and their largest distance, km; farther along a coast the tide differs. */
const [STATIONS, NEAR_KM] = [6, 100];

interface TideProps {
  apiKey: string;
  picks: boolean;
  draft: Draft;
  onChange(part: Partial<Draft>): void;
}

/** Selection of a station near a place, and of a height of its tide, or of its high and low waters. */
function TideFields({ apiKey, draft, picks, onChange }: TideProps) {
  const words = useWords("watches");
  const { form, page } = words.watches;
  const { station, position } = draft;
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
    if (listed && !isListed && nearest?.id !== station?.id)
      onChange({ station: nearest && { id: nearest.id, name: nearest.name, datum: nearest.datum ?? "" } });
  }, [listed, isListed, nearest, station, onChange]);
  return (
    <>
      <PlaceField
        label={words.position.field}
        text={position}
        picks={picks}
        near={draft.place}
        onText={(text) => onChange({ position: text, station: undefined })}
      />
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
            onChange={({ target }) => {
              const found = listed.find(({ id }) => id === target.value)!;
              onChange({ station: { id: found.id, name: found.name, datum: found.datum ?? "" } });
            }}
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
      {draft.kind === "tide" ? (
        <HeightFields draft={draft} onChange={onChange} />
      ) : (
        <ExtremeFields
          draft={draft}
          isFrench={listed?.find(({ id }) => id === station?.id)?.country === "France"}
          onChange={onChange}
        />
      )}
    </>
  );
}

type FieldProps = Pick<TideProps, "draft" | "onChange">;

/** A limit on the height of the tide. */
function HeightFields({ draft: { station, isTideOver, tideLimit }, onChange }: FieldProps) {
  const { form } = useWords("watches").watches;
  return (
    <div className="watch-fields">
      <label className="form-field">
        {form.comparison}
        <select
          className="field"
          value={isTideOver ? "over" : "under"}
          onChange={({ target }) => onChange({ isTideOver: target.value === "over" })}
        >
          <option value="over">&gt;</option>
          <option value="under">&lt;</option>
        </select>
      </label>
      <TextField
        label={station ? form.tideLimit(station) : form.limit({ unit: "m" })}
        inputMode="decimal"
        value={tideLimit}
        onChange={(value) => onChange({ tideLimit: value })}
      />
    </div>
  );
}

/**
 * High waters, low waters or both, and whether only some of them. @param isFrench Whether coefficients may be
 * known.
 */
function ExtremeFields({ draft, isFrench, onChange }: FieldProps & { isFrench: boolean }) {
  const { form } = useWords("watches").watches;
  const { station, extremeType, filter, heightLimit, coefficient } = draft;
  return (
    <>
      <Choice
        title={form.before}
        options={(["high", "low", "either"] as const).map((type) => [type, form.types[type]] as const)}
        value={extremeType}
        onChange={(type) => onChange({ extremeType: type })}
      />
      <div className="watch-fields">
        <label className="form-field">
          {form.only}
          <select
            className="field"
            value={filter}
            onChange={({ target }) => onChange({ filter: target.value as ExtremeFilter })}
          >
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
          <TextField
            label={station ? form.tideLimit(station) : form.limit({ unit: "m" })}
            inputMode="decimal"
            value={heightLimit}
            onChange={(value) => onChange({ heightLimit: value })}
          />
        ) : null}
        {filter === "coefficient" ? (
          <TextField
            label={form.coefficient}
            inputMode="numeric"
            value={coefficient}
            onChange={(value) => onChange({ coefficient: value })}
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

function problemText(problem: DraftProblem, { form, quantities }: Messages["watches"], words: Words) {
  const { language } = words;
  const { errors } = words.ship.form;
  if ("position" in problem) return problem.position === "unclear" ? errors.unclear : errors.position;
  if ("station" in problem) return form.noStation;
  if ("isLong" in problem) return form.tooLong;
  if ("waypoints" in problem) {
    const [count, most] = [problem.waypoints, problem.most].map((one) => formatNumber(one, 0, language)) as [
      string,
      string,
    ];
    return form.tooManyWaypoints({ count, most });
  }
  const { field, range } = problem;
  const names: Readonly<Record<string, string>> = {
    ...quantities,
    ahead: form.ahead,
    lasting: form.lasting,
    within: form.within,
    minutesBefore: form.minutesBefore,
    coefficient: form.coefficient,
    conditions: form.addCondition,
  };
  const [least, most] = range.map((number) => formatNumber(number, 0, language)) as [string, string];
  return form.wrongNumber({ what: names[field] ?? field, least, most });
}

interface ConditionProps {
  conditions: readonly DraftCondition[];
  watches: Messages["watches"];
  onChange(conditions: DraftCondition[]): void;
}

/** Quantities with their limits; some can be added and removed. */
function ConditionFields({ conditions, watches, onChange }: ConditionProps) {
  const { catalog } = useWords();
  const { form, quantities } = watches;
  const units: Readonly<Record<string, { symbol: string }>> = catalog.units;
  const change = (id: number, part: Partial<DraftCondition>) =>
    onChange(conditions.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const add = () => {
    const next = 1 + Math.max(100, ...conditions.map(({ id }) => id));
    onChange([...conditions, { id: next, quantity: "wind_kt", isOver: true, limit: "25" }]);
  };
  return (
    <div className="space-y-3">
      <ul className="space-y-3">
        {conditions.map(({ id, quantity, isOver, limit }) => {
          const { unit } = rowOf(quantity);
          const { symbol } = units[unit] ?? { symbol: unit };
          const of = quantities[quantity];
          return (
            <li key={id}>
              <LimitRow
                quantity={quantity}
                quantities={hourlyQuantities.map((name) => [name, quantities[name]] as const)}
                side={isOver ? "over" : "under"}
                sides={[
                  ["over", ">"],
                  ["under", "<"],
                ]}
                value={limit}
                unit={symbol}
                labels={{
                  quantity: form.quantity,
                  side: `${of}, ${form.comparison}`,
                  value: `${of}, ${form.limit({ unit: symbol })}`,
                  remove: `${form.removeCondition} ${of}`,
                }}
                onChange={({ quantity: name, side, value }) =>
                  change(id, {
                    ...(name && { quantity: name }),
                    ...(side && { isOver: side === "over" }),
                    ...(value !== undefined && { limit: value }),
                  })
                }
                onRemove={() => onChange(conditions.filter((one) => one.id !== id))}
              />
            </li>
          );
        })}
      </ul>
      {conditions.length < watchLimits.conditions ? (
        <button type="button" className="toggle" onClick={add}>
          {form.addCondition}
        </button>
      ) : null}
    </div>
  );
}
