import { type Fix, reckoned } from "@open-metocean/geo/rhumb";
import { type FormEvent, useId, useRef, useState } from "react";
import { PlaceField } from "#components/fields/place-field.tsx";
import { TimeField } from "#components/fields/time-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { MAX_SPEED } from "#components/view-state/ship-store.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { typedDecimal } from "#lib/messages/number.ts";
import { positionText } from "#lib/position.ts";
import { readPosition } from "#lib/positions/read-position.ts";

interface Props {
  /** The ship to edit; undefined for a new one. */
  ship: Fix | undefined;
  onKeep(fix: Fix): void;
  /** Leaves the form without a change; absent if there is nothing to return to. */
  onCancel?(): void;
}

/** Form for position, course, speed and time of the ship. */
export function ShipForm({ ship, onKeep, onCancel }: Props) {
  const view = useView("c");
  const zone = useZone();
  const { now } = useClock("now");
  const {
    ship: { form: words, title },
    language,
  } = useWords();
  const [typed, setTyped] = useState<TypedShip>(() => ({
    position: ship ? positionText(ship.latitude, ship.longitude) : "",
    course: ship && ship.speed > 0 ? typedDecimal(ship.course, language) : "",
    speed: ship && ship.speed > 0 ? typedDecimal(ship.speed, language) : "",
    time: ship?.time,
  }));
  const [errors, setErrors] = useState<ShipErrors>({});
  const form = useRef<HTMLFormElement>(null);
  const help = useId();
  const change = (part: Partial<TypedShip>) => {
    setTyped((before) => ({ ...before, ...part }));
    setErrors({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readForm(timed(typed, now), zone, navigator.languages);
    if ("fix" in read) return onKeep(unrounded(read.fix, ship, typed.position));
    setErrors(read.errors);
    const first = Object.keys(typed).find((name) => name in read.errors);
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  const field = (name: "course" | "speed") => ({
    name,
    value: typed[name],
    onChange: (value: string) => change({ [name]: value }),
    autoComplete: "off",
    "aria-invalid": errors[name] !== undefined,
    "aria-describedby": errors[name] === undefined ? undefined : help,
  });
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label={title} className="flex flex-col gap-3">
      <PlaceField
        name="position"
        label={words.position}
        placeholder="48 30N 005 10W"
        text={typed.position}
        problem={errors.position === undefined ? undefined : help}
        picks
        near={view.c}
        onText={(position) => change({ position })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField label={words.course} inputMode="decimal" placeholder="045" {...field("course")} />
        <TextField label={words.speed} inputMode="decimal" placeholder={words.noSpeed} {...field("speed")} />
      </div>
      <TimeField
        name="time"
        label={
          now === 0 ? words.time({ clock: zone.label(now) }) : words.timeOrNow({ clock: zone.label(now) })
        }
        zone={zone}
        now={now}
        time={Number.isNaN(typed.time) ? undefined : typed.time}
        problem={errors.time === undefined ? undefined : help}
        onEmpty={() => change({ time: undefined })}
        onUnclear={(isUnclear) => isUnclear && change({ time: Number.NaN })}
        onChange={(time) => change({ time })}
      />
      <div id={help} role="alert" className="text-sm">
        {Object.values(errors).map((error) => (
          <p key={error}>{error}</p>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <button type="submit" className="button primary px-4">
          {ship ? words.save : words.pin}
        </button>
        {ship && ship.speed > 0 && now > ship.time ? (
          <Button
            onClick={() => {
              const { latitude, longitude } = reckoned(ship, now);
              change({ position: positionText(latitude, longitude), time: now });
            }}
          >
            {words.takeNow}
          </Button>
        ) : null}
        {onCancel ? <Button onClick={onCancel}>{words.cancel}</Button> : null}
      </div>
    </form>
  );
}

/** If the position's text is unchanged, its decimals that the text does not show are retained. */
function unrounded(fix: Fix, ship: Fix | undefined, position: string): Fix {
  if (!ship || position !== positionText(ship.latitude, ship.longitude)) return fix;
  return { ...fix, latitude: ship.latitude, longitude: ship.longitude };
}

interface TypedShip {
  position: string;
  course: string;
  speed: string;
  /** Unix seconds; undefined if empty, NaN if invalid. */
  time: number | undefined;
}

/** Why a field is refused, in the page's language; absent for a valid field. */
type ShipErrors = Partial<Record<keyof TypedShip, string>>;

/**
 * Reads the ship of a form, or what is wrong with each field. An empty speed means a ship at anchor, which
 * needs no course.
 *
 * @param languages Languages of the reader: see `readPosition`.
 */
export function readForm(
  form: TypedShip,
  zone: Zone,
  languages: readonly string[] = [],
): { fix: Fix } | { errors: ShipErrors } {
  const reading = readPosition(form.position, languages);
  const place = reading.kind === "place" ? reading.place : undefined;
  const speed = form.speed.trim() === "" ? 0 : numberOf(form.speed);
  const course = form.course.trim() === "" && speed === 0 ? 0 : numberOf(form.course);
  const errors: ShipErrors = {};
  const words = zone.words.ship.form.errors;
  if (reading.kind === "unclear") errors.position = words.unclear;
  else if (!place) errors.position = words.position;
  if (!(course >= 0 && course <= 360)) errors.course = words.course;
  if (!(speed >= 0 && speed <= MAX_SPEED)) errors.speed = words.speed({ most: MAX_SPEED });
  const { time } = form;
  if (time === undefined) errors.time = words.noTime;
  else if (Number.isNaN(time)) errors.time = words.time;
  if (!place || time === undefined || Object.keys(errors).length > 0) return { errors };
  return { fix: { ...place, course, speed, time } };
}

/**
 * Without a time the position is that of now, even if the form was open for a while.
 *
 * @param now Weather clock of the service, Unix seconds; 0 means that it is not known yet, and the time has
 * to be entered.
 */
export function timed(form: TypedShip, now: number): TypedShip {
  return form.time !== undefined || now === 0 ? form : { ...form, time: now };
}

/** Accepts `045°` and `6,5` too. */
function numberOf(text: string): number {
  return readTypedDecimal(text.trim().replace(/°$/, ""));
}
