import type { Place } from "@open-metocean/geo/sphere";
import { type RefObject, useEffect, useState } from "react";
import { PlaceSearch } from "#components/fields/place-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { TextField } from "#components/ui/text-field.tsx";
import {
  deletePlan,
  emptyPlan,
  inserted,
  MAX_WAYPOINTS,
  markPlan,
  readPlan,
  reversed,
  savePlan,
  setSavedPlans,
  usePlan,
  usePlanMarks,
  useSavedPlans,
} from "#components/view-state/plan.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Plan } from "#lib/contract/passage.ts";
import { positionText } from "#lib/position.ts";
import { usePassageWords } from "./passage-format.tsx";
import { fileName, routeFiles } from "./route-files.ts";
import { RouteImport } from "./route-import.tsx";
import { linkOf, replacePlan } from "./route-link.ts";
import { RouteSummary } from "./route-summary.tsx";
import { RouteTable } from "./route-table.tsx";

export interface RouteEditorProps {
  /** Takes the focus when another plan is opened. */
  heading: RefObject<HTMLElement | null>;
  onCentre(place: Place): void;
  onShow(route: Plan["route"]): void;
  /** Lets clicks on the map add waypoints. */
  onDraw(): void;
}

/** The route of the plan: drawn on the map, typed, imported or opened; its table; its files and links. */
export function RouteEditor({ onCentre, onShow, onDraw, heading }: RouteEditorProps) {
  const { route: words } = usePassageWords();
  const view = useView("c");
  const { plan, change, undo, redo, canUndo, canRedo, isKept } = usePlan();
  const { isDrawing } = usePlanMarks("isDrawing");
  const { route, name } = plan;
  const [said, setSaid] = useState({ text: "", of: route });
  // The message would be wrong once the route has changed.
  const message = said.of === route ? said.text : "";
  const setMessage = (text: string) => setSaid({ text, of: readPlan().plan.route });
  const isFull = route.length >= MAX_WAYPOINTS;
  useEffect(() => () => markPlan({ waypoint: undefined }), []);
  const open = (next: Plan, opened: string) => {
    replacePlan(next);
    onShow(next.route);
    setMessage(opened);
    heading.current?.focus();
  };
  return (
    <section aria-label={words.route} className="space-y-3">
      {route.length === 0 ? (
        <>
          <p className="text-muted text-sm">{words.empty}</p>
          <RouteImport isOpen onImported={open} />
        </>
      ) : (
        <h3 className="font-semibold">{words.route}</h3>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          aria-pressed={isDrawing}
          primary={route.length === 0 || isDrawing}
          disabled={isFull}
          onClick={onDraw}
        >
          {words.draw}
        </Button>
        <Button className="" aria-label={words.undo} title={words.undo} disabled={!canUndo} onClick={undo}>
          <Icon name="undo" />
        </Button>
        <Button className="" aria-label={words.redo} title={words.redo} disabled={!canRedo} onClick={redo}>
          <Icon name="redo" />
        </Button>
        {route.length > 1 ? (
          <Button
            onClick={() => {
              change({ route: reversed(route) });
              setMessage(words.reversed);
            }}
          >
            {words.reverse}
          </Button>
        ) : null}
      </div>
      <PlaceSearch
        label={words.add}
        submit={words.addSubmit}
        placeholder={words.addPlaceholder}
        near={view.c}
        onFound={({ place, name: found }) => {
          if (isFull) return;
          change({ route: inserted(route, place, undefined, found) });
          setMessage(
            words.added({
              number: route.length + 1,
              place: found ?? positionText(place.latitude, place.longitude),
            }),
          );
        }}
      />
      <p role="status" className={message || isFull ? "text-sm" : "sr-only"}>
        {isFull ? words.full({ most: MAX_WAYPOINTS }) : message}
      </p>
      <RouteNotice isKept={isKept} />
      {route.length > 0 ? (
        <>
          <TextField
            label={words.name}
            value={name}
            maxLength={80}
            onChange={(text) => change({ name: text }, "name")}
          />
          <RouteTable onCentre={onCentre} />
          <RouteSummary />
        </>
      ) : null}
      {route.length > 0 ? (
        <>
          <RouteImport isOpen={false} onImported={open} />
          <RouteExport />
        </>
      ) : null}
      <RoutePlans onOpen={open} />
    </section>
  );
}

/** Result of opening a link, and whether the device stores the plan. */
function RouteNotice({ isKept }: { isKept: boolean }) {
  const { route: words } = usePassageWords();
  const { notice } = usePlanMarks("notice");
  const text =
    notice && (notice.is === "damagedLink" ? words.damagedLink : words.keptAs({ name: notice.as }));
  return (
    <>
      {text ? (
        <p role="alert" className="notice-line text-sm">
          {text}
        </p>
      ) : null}
      {isKept ? null : (
        <p role="alert" className="notice-line text-sm">
          {words.notKept}
        </p>
      )}
    </>
  );
}

function RouteExport() {
  const { screen } = useWords();
  const { file: text } = usePassageWords().route;
  const { plan } = usePlan();
  const link = () => linkOf(plan, window.location.href);
  return (
    <>
      <details className="route-part">
        <summary>{text.save}</summary>
        <div className="flex flex-wrap gap-2">
          {Object.values(routeFiles).map(({ title, extension, type, write }) => (
            <Button
              key={title}
              onClick={() => saveFile(fileName(plan.name, extension), new Blob([write(plan)], { type }))}
            >
              <Icon name="save" className="mr-1 size-4" />
              {title}
            </Button>
          ))}
        </div>
      </details>
      <CopyButton text={() => link().href} otherwise={screen.link.fromAddress}>
        {text.copyLink}
      </CopyButton>
      {link().isWhole ? null : <p className="mt-1 text-sm">{text.linkCut}</p>}
    </>
  );
}

interface Props {
  /** @param message States what was opened. */
  onOpen(plan: Plan, message: string): void;
}

/** The plans stored on this device by name, which can be saved, opened, deleted and restored. */
function RoutePlans({ onOpen }: Props) {
  const { saved: text } = usePassageWords().route;
  const { plan } = usePlan();
  const plans = useSavedPlans();
  const [message, setMessage] = useState("");
  const [before, setBefore] = useState<readonly Plan[]>();
  const save = () => {
    const name = plan.name.trim();
    const isReplaced = plans.some((one) => one.name === name);
    if (!savePlan({ ...plan, name })) return setMessage(text.notSaved);
    setBefore(isReplaced ? plans : undefined);
    setMessage(isReplaced ? text.replaced({ name }) : text.saved({ name }));
  };
  if (plan.route.length === 0 && plans.length === 0 && !message) return null;
  return (
    <fieldset>
      <legend className="mb-1 text-muted text-xs">{text.title}</legend>
      {plan.route.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          <Button
            disabled={plan.name.trim() === ""}
            title={plan.name.trim() === "" ? text.needsName : undefined}
            onClick={save}
          >
            {text.save}
          </Button>
          <Button onClick={() => onOpen({ ...emptyPlan, vessel: plan.vessel }, text.cleared)}>
            {text.start}
          </Button>
        </div>
      ) : null}
      <p role="status" className={message ? "my-2 flex items-center gap-2 text-sm" : "sr-only"}>
        {message}
        {before ? (
          <Button
            onClick={() => {
              setSavedPlans(before);
              setBefore(undefined);
              setMessage(text.back);
            }}
          >
            {text.undo}
          </Button>
        ) : null}
      </p>
      <ul className="mt-2 space-y-1">
        {plans.map((one) => (
          <li key={one.name} className="flex items-center gap-1">
            <Button
              className="min-w-0 flex-1 truncate px-3 text-left"
              aria-label={text.open({ name: one.name })}
              onClick={() => onOpen(one, text.opened({ name: one.name }))}
            >
              {one.name}
            </Button>
            <Button
              className=""
              aria-label={text.remove({ name: one.name })}
              onClick={() => {
                setBefore(plans);
                deletePlan(one.name);
                setMessage(text.removed({ name: one.name }));
              }}
            >
              <Icon name="close" />
            </Button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
