import { MILE_KM, type Place } from "@open-metocean/geo/sphere";
import {
  type FormEvent,
  Fragment,
  type KeyboardEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { PlaceField } from "#components/fields/place-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import {
  changed,
  changePlan,
  inserted,
  MAX_WAYPOINTS,
  markPlan,
  moved,
  removed,
  reordered,
  roundedPlace,
  usePlan,
  usePlanMarks,
} from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { legKinds, legOf } from "#lib/passage/route.ts";
import { formatBearing, positionText } from "#lib/position.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { GateForm } from "./gate-form.tsx";
import { formatGate, usePassageStyle, usePassageWords } from "./passage-format.tsx";
import { legNumbers } from "./route-files.ts";

interface Props {
  onCentre(place: Place): void;
}

export function RouteTable({ onCentre }: Props) {
  const words = useWords();
  const style = usePassageStyle();
  const { table } = usePassageWords().route;
  const { route } = usePlan().plan;
  const { waypoint: marked, isDrawing } = usePlanMarks("waypoint", "isDrawing");
  const legs = useMemo(() => legNumbers(route), [route]);
  const body = useRef<HTMLTableSectionElement>(null);
  const help = useId();
  /** Row to focus after the next rendering, because its button moved with its waypoint. */
  const next = useRef<number>(undefined);
  const buttons = () => [...(body.current?.querySelectorAll<HTMLElement>("[data-waypoint]") ?? [])];
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs after each change of the route
  useEffect(() => {
    const row = next.current;
    next.current = undefined;
    if (row !== undefined) buttons()[Math.min(row, route.length - 1)]?.focus();
  }, [route]);
  // A waypoint that is selected on the map is scrolled into view.
  useEffect(() => {
    if (marked !== undefined && !isDrawing)
      body.current?.querySelector(`[data-waypoint="${marked}"]`)?.scrollIntoView({ block: "nearest" });
  }, [marked, isDrawing]);
  const reorder = (from: number, to: number) => {
    if (to < 0 || to >= route.length) return;
    changePlan({ route: reordered(route, from, to) });
    markPlan({ waypoint: marked === from ? to : marked });
  };
  const remove = (index: number) => {
    changePlan({ route: removed(route, index) });
    markPlan({ waypoint: undefined });
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by && event.altKey) {
      next.current = index + by;
      reorder(index, index + by);
    } else if (by) buttons()[index + by]?.focus();
    else if (event.key === "Delete") {
      next.current = index;
      remove(index);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <p id={help} className="sr-only">
        {table.help}
      </p>
      <table className="route-table" aria-label={table.title} aria-describedby={help}>
        <thead>
          <tr>
            <th scope="col">{table.waypoint}</th>
            <th scope="col">{table.course}</th>
            <th scope="col">{table.distance}</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {route.map((waypoint, index) => {
            const leg = legs[index - 1];
            const isOpen = index === marked;
            const { latitude, longitude, name, gate } = waypoint;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: waypoints have no other identity
              <Fragment key={index}>
                <tr data-marked={isOpen}>
                  <th scope="row">
                    <button
                      type="button"
                      data-waypoint={index}
                      className="flex min-h-11 w-full items-center gap-2 px-1.5 py-1 text-left"
                      aria-expanded={isOpen}
                      onKeyDown={(event) => onKeyDown(event, index)}
                      onClick={() => markPlan({ waypoint: isOpen ? undefined : index })}
                    >
                      <span className="min-w-6.5 flex-none rounded-2xl border border-current px-1 text-center text-xs/6">
                        {index + 1}
                      </span>
                      <span className="min-w-0">
                        {name ? <span className="block truncate font-semibold">{name}</span> : null}
                        <span className="block tabular-nums">{positionText(latitude, longitude)}</span>
                        {gate ? (
                          <span className="block text-xs">
                            {gate.name ?? gate.station} {formatGate(gate, style)}
                          </span>
                        ) : null}
                      </span>
                    </button>
                  </th>
                  <td>{leg?.course === undefined ? "" : formatBearing(leg.course)}</td>
                  <td>
                    {leg ? formatMiles(leg.miles * MILE_KM, words, 1) : ""}
                    {leg && waypoint.leg === "rhumb" ? (
                      <span className="block text-muted text-xs">{table.rhumb}</span>
                    ) : null}
                  </td>
                </tr>
                {isOpen ? (
                  <tr>
                    <td colSpan={3}>
                      <RouteWaypoint
                        key={`${latitude} ${longitude}`}
                        index={index}
                        onCentre={onCentre}
                        onReorder={(to) => reorder(index, to)}
                        onRemove={() => {
                          next.current = index;
                          remove(index);
                        }}
                      />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

interface WaypointProps {
  /** Position in the route. */
  index: number;
  onCentre(place: Place): void;
  /** @param to New position in the route. */
  onReorder(to: number): void;
  onRemove(): void;
}

function RouteWaypoint({ index, onCentre, onReorder, onRemove }: WaypointProps) {
  const { edit, legs, gate: gateText } = usePassageWords().route;
  const { position: texts } = useWords();
  const { plan, change } = usePlan();
  const { route } = plan;
  const waypoint = route[index]!;
  const { latitude, longitude, name = "", leg, gate } = waypoint;
  const [isGateOpen, setGateOpen] = useState(gate !== undefined);
  const gateButton = useRef<HTMLButtonElement>(null);
  const [position, setPosition] = useState(() => positionText(latitude, longitude));
  const [problem, setProblem] = useState<string>();
  const help = useId();
  const take = () => {
    // If the text is unchanged, the position retains the decimals that the text does not show.
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
    <Button disabled={disabled} onClick={act}>
      {label}
    </Button>
  );
  return (
    <form
      className="flex flex-col gap-2.5 bg-page px-2 pt-2 pb-3 shadow-[inset_3px_0_var(--accent)]"
      aria-label={edit.title({ number: index + 1 })}
      onSubmit={submit}
    >
      <PlaceField
        label={edit.position}
        text={position}
        problem={problem === undefined ? undefined : help}
        picks
        near={waypoint}
        onText={setPosition}
        onFound={({ place, name: found }) =>
          change({ route: changed(route, index, { ...roundedPlace(place), ...(found && { name: found }) }) })
        }
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
        <Button
          ref={gateButton}
          aria-expanded={isGateOpen}
          onClick={() => {
            flushSync(() => setGateOpen(!isGateOpen));
            // The form opens below the buttons, where it may be out of sight.
            gateButton.current?.form?.lastElementChild?.scrollIntoView({ block: "nearest" });
          }}
        >
          {gateText.title}
        </Button>
        {button(edit.remove, onRemove)}
      </div>
      {isGateOpen ? (
        <GateForm
          place={waypoint}
          gate={gate}
          onChange={(next, of) => {
            change({ route: changed(route, index, { gate: next }) }, of && `${of} of ${index}`);
            if (next) return;
            // The pressed button disappears with the form, so the focus moves here.
            gateButton.current?.focus();
            setGateOpen(false);
          }}
        />
      ) : null}
    </form>
  );
}
