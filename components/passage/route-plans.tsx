import { useState } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { emptyPlan, usePlan } from "#components/view-state/plan.ts";
import { deletePlan, savePlan, setSavedPlans, useSavedPlans } from "#components/view-state/saved-plans.ts";
import type { Plan } from "#lib/contract/plan.ts";
import { usePassageWords } from "./passage-words.ts";

interface Props {
  /** @param message What was opened. */
  onOpen(plan: Plan, message: string): void;
}

/** The plans that this device keeps by name: saved, opened, deleted, and brought back. */
export function RoutePlans({ onOpen }: Props) {
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
          <button
            type="button"
            className="button px-3"
            disabled={plan.name.trim() === ""}
            title={plan.name.trim() === "" ? text.needsName : undefined}
            onClick={save}
          >
            {text.save}
          </button>
          <button
            type="button"
            className="button px-3"
            onClick={() => onOpen({ ...emptyPlan, vessel: plan.vessel }, text.cleared)}
          >
            {text.start}
          </button>
        </div>
      ) : null}
      <p role="status" className={message ? "my-2 flex items-center gap-2 text-sm" : "sr-only"}>
        {message}
        {before ? (
          <button
            type="button"
            className="button px-3"
            onClick={() => {
              setSavedPlans(before);
              setBefore(undefined);
              setMessage(text.back);
            }}
          >
            {text.undo}
          </button>
        ) : null}
      </p>
      <ul className="mt-2 space-y-1">
        {plans.map((one) => (
          <li key={one.name} className="flex items-center gap-1">
            <button
              type="button"
              className="button min-w-0 flex-1 truncate px-3 text-left"
              aria-label={text.open({ name: one.name })}
              onClick={() => onOpen(one, text.opened({ name: one.name }))}
            >
              {one.name}
            </button>
            <button
              type="button"
              className="button"
              aria-label={text.remove({ name: one.name })}
              onClick={() => {
                setBefore(plans);
                deletePlan(one.name);
                setMessage(text.removed({ name: one.name }));
              }}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
