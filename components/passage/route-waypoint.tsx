import { type FormEvent, useId, useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { changed, inserted, MAX_WAYPOINTS, moved, usePlan } from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { legKinds, legOf } from "#lib/passage/route.ts";
import { positionText } from "#lib/position.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { usePassageWords } from "./passage-words.ts";

interface Props {
  /** Position in the route. */
  index: number;
  onCentre(place: Place): void;
  /** @param to Another position in the route. */
  onReorder(to: number): void;
  onRemove(): void;
}

/** What changes a waypoint, and the leg that ends there. */
export function RouteWaypoint({ index, onCentre, onReorder, onRemove }: Props) {
  const { edit, legs } = usePassageWords().route;
  const { position: texts } = useWords();
  const { plan, change } = usePlan();
  const { route } = plan;
  const waypoint = route[index]!;
  const { latitude, longitude, name = "", leg } = waypoint;
  const [position, setPosition] = useState(() => positionText(latitude, longitude));
  const [problem, setProblem] = useState<string>();
  const help = useId();
  const take = () => {
    // What was not typed again keeps the decimals that its text does not show.
    if (position === positionText(latitude, longitude)) return setProblem(undefined);
    const reading = readPosition(position, navigator.languages);
    if (reading.kind === "place") {
      setProblem(undefined);
      change({ route: moved(route, index, reading.place) });
    } else setProblem(reading.kind === "unclear" ? edit.unclear : texts.invalid[reading.reason]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take();
  };
  const button = (label: string, act: () => void, disabled = false) => (
    <button type="button" className="button px-3" disabled={disabled} onClick={act}>
      {label}
    </button>
  );
  return (
    <form className="route-waypoint" aria-label={edit.title({ number: index + 1 })} onSubmit={submit}>
      <TextField
        label={edit.position}
        value={position}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={help}
        onChange={setPosition}
        onBlur={take}
      />
      <p id={help} role="alert" className={problem ? "text-sm" : "sr-only"}>
        {problem}
      </p>
      <TextField
        label={edit.name}
        value={name}
        maxLength={60}
        autoComplete="off"
        onChange={(text) =>
          change({ route: changed(route, index, { name: text || undefined }) }, `name of ${index}`)
        }
      />
      {index > 0 ? (
        <Choice
          title={edit.leg}
          options={legKinds.map((kind) => [kind, legs[kind]] as const)}
          value={leg}
          onChange={(kind) => change({ route: changed(route, index, { leg: kind }) })}
        />
      ) : null}
      <div className="flex flex-wrap gap-1">
        {button(edit.earlier, () => onReorder(index - 1), index === 0)}
        {button(edit.later, () => onReorder(index + 1), index === route.length - 1)}
        {index > 0
          ? button(
              edit.insert,
              () => {
                const middle = legOf(route[index - 1]!, waypoint, leg).at(0.5);
                change({ route: inserted(route, middle, index) });
              },
              route.length >= MAX_WAYPOINTS,
            )
          : null}
        {button(edit.show, () => onCentre({ latitude, longitude }))}
        {button(edit.remove, onRemove)}
      </div>
    </form>
  );
}
