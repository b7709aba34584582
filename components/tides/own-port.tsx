import { type FormEvent, useRef, useState } from "react";
import type { Prediction } from "#components/api-client/tide-queries.ts";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import {
  keepPort,
  MAX_NAME,
  type OwnPort,
  parseOwnPort,
  useKeptPort,
  writeOwnPort,
} from "#components/view-state/own-ports.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Language } from "#lib/messages/language.ts";
import { formatUngrouped } from "#lib/messages/number.ts";
import { ownPortLimits } from "#lib/tides/limits.ts";
import { differencesOf } from "./format-tide.ts";

/** The secondary port of a link, or else the one that this device stores for a station. */
export function useOwnPort(station: string): OwnPort | null {
  const kept = useKeptPort(station);
  return useView("port").port ?? kept;
}

interface Props {
  prediction: Prediction;
  port: OwnPort | null;
  onRemove(): void;
}

/**
 * Form for a secondary port by its differences from the station, or the reason why the station accepts none.
 */
export function OwnPortForm({ prediction, ...rest }: Props) {
  const { port } = useZone("tides").words.tides;
  const { station } = prediction;
  const refused = refusal(prediction);
  return (
    <details key={station.id}>
      <summary className="min-h-8 cursor-pointer content-center text-sm">{port.title}</summary>
      {refused ? (
        <p className="text-sm">{port.none({ why: refused, name: station.reference?.name ?? "" })}</p>
      ) : (
        <Fields station={station.id} {...rest} />
      )}
    </details>
  );
}

function refusal(prediction: Prediction) {
  if (prediction.kind === "stream") return "stream";
  if (prediction.station.type === "subordinate" && !differencesOf(prediction)) return "subordinate";
  return prediction.regime === "none" ? "none" : undefined;
}

type Typed = Record<"name" | keyof OwnPort["differences"], string>;

function Fields({ station, port, onRemove }: Omit<Props, "prediction"> & { station: string }) {
  const { words } = useZone("tides");
  const { tides, language } = words;
  const changeView = useChangeView();
  const [shown, setShown] = useState(port);
  const [typed, setTyped] = useState(() => typedOf(port, language));
  const [fault, setFault] = useState<"unread" | "notKept">();
  const form = useRef<HTMLFormElement>(null);
  // The browser's Back may bring another port, and removing the link's port brings the stored one.
  if (textOf(port) !== textOf(shown)) {
    setShown(port);
    setTyped(typedOf(port, language));
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTyped(typed);
    if (!read) return setFault("unread");
    setFault(keepPort(station, read) ? undefined : "notKept");
    changeView({ port: read });
  };
  const field = (name: keyof Typed) => ({
    name,
    value: typed[name],
    autoComplete: "off",
    className: "w-full min-w-0",
    onChange(text: string) {
      setTyped((before) => ({ ...before, [name]: text }));
      setFault(undefined);
    },
  });
  const number = (name: keyof OwnPort["differences"]) => ({
    ...field(name),
    // Number-only keyboards of some phones have no minus sign.
    inputMode: "text" as const,
    placeholder: "0",
    "aria-invalid": Number.isNaN(numberOf(typed[name])) || undefined,
  });
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label={tides.port.title} className="space-y-2">
      <p className="text-muted text-xs">{tides.port.help}</p>
      {(["high", "low"] as const).map((side) => (
        <fieldset key={side} className="min-w-0">
          <legend className="mb-1 font-medium text-sm">{tides.events[side]}</legend>
          <div className="grid grid-cols-2 gap-2">
            <TextField label={tides.port.later} {...number(`${side}_minutes`)} />
            <TextField label={tides.port.higher} {...number(`${side}_m`)} />
          </div>
        </fieldset>
      ))}
      <TextField label={tides.port.name} maxLength={MAX_NAME} {...field("name")} />
      {fault ? (
        <p role="alert" className="text-sm">
          {fault === "unread" ? tides.port.unread(ownPortLimits) : tides.port.notKept}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <button type="submit" className="button primary px-4">
          {tides.port.apply}
        </button>
        {port ? (
          <Button
            onClick={() => {
              onRemove();
              setFault(undefined);
              form.current?.querySelector("input")?.focus();
            }}
          >
            {tides.port.remove}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

const textOf = (port: OwnPort | null) => port && writeOwnPort(port);

function typedOf(port: OwnPort | null, language: Language): Typed {
  const { high_minutes = 0, low_minutes = 0, high_m = 0, low_m = 0 } = port?.differences ?? {};
  const text = (value: number, decimals = 0) =>
    value === 0 ? "" : formatUngrouped(value, decimals, language);
  return {
    name: port?.name ?? "",
    high_minutes: text(high_minutes),
    low_minutes: text(low_minutes),
    high_m: text(high_m, 2),
    low_m: text(low_m, 2),
  };
}

/** An empty field means a difference of 0. */
const numberOf = (text: string) => (text.trim() === "" ? 0 : readTypedDecimal(text));

/** The port of a form; null if a number is invalid or out of bounds, or if all are 0. */
export function readTyped({ name, ...numbers }: Typed): OwnPort | null {
  const { high_minutes, low_minutes, high_m, low_m } = numbers;
  const values = [high_minutes, low_minutes, high_m, low_m].map(numberOf);
  return parseOwnPort([...values, name].join(","));
}
