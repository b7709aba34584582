import { useId } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { changePlan } from "#components/view-state/plan.ts";
import type { PlanVessel } from "#lib/contract/plan.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { boundsText } from "./limits-form.tsx";
import { MotorForm } from "./motor-form.tsx";
import { NumberField } from "./number-field.tsx";
import { SailForm } from "./sail-form.tsx";
import type { VesselFormProps } from "./vessel-props.ts";

/** What each kind begins with. */
const beginnings: Record<PlanVessel["kind"], PlanVessel> = {
  fixed: { kind: "fixed", speed_kt: 6 },
  motor: { kind: "motor", speed_kt: 8 },
  sail: { kind: "sail", polar_name: "cruising_10m", factor: 0.9, motor_speed_kt: 5.5, motor_below_kt: 3 },
};

const kindsOf = ({ vessel: { kinds } }: Messages["passage"]["outlook"]) =>
  (["fixed", "motor", "sail"] as const).map((kind) => [kind, kinds[kind]] as const);

/** Asks for the vessel of a plan that has none yet. */
export function ChooseVessel({ words }: { words: Messages["passage"]["outlook"] }) {
  const title = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the title is also read by itself
    <div role="group" aria-labelledby={title} className="space-y-2">
      <p id={title} className="font-semibold">
        {words.whichVessel}
      </p>
      <p className="text-sm">{words.whichVesselAbout}</p>
      <div className="flex flex-wrap gap-2">
        {kindsOf(words).map(([kind, text]) => (
          <button
            key={kind}
            type="button"
            className="button px-3"
            onClick={() => changePlan({ vessel: beginnings[kind] })}
          >
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

/** How the vessel's speed comes about. */
export function VesselForm({ vessel, style }: Omit<VesselFormProps, "onChange">) {
  const { vessel: words } = style.words;
  const { kind } = vessel;
  const onChange = (part: Partial<PlanVessel>, of: string) => {
    const entries = Object.entries({ ...vessel, ...part }).filter(([, value]) => value !== undefined);
    changePlan({ vessel: Object.fromEntries(entries) as PlanVessel }, `vessel ${of}`);
  };
  const form = { vessel, style, onChange };
  return (
    <fieldset className="passage-form">
      <legend className="font-semibold">{words.title}</legend>
      <Choice
        title={words.kinds.title}
        options={kindsOf(style.words)}
        value={kind}
        // Another kind has other usual limits.
        onChange={(next) => {
          if (next !== kind) changePlan({ vessel: beginnings[next], limits: undefined });
        }}
      />
      {kind === "sail" ? null : <Speed {...form} />}
      {kind === "motor" ? <MotorForm {...form} /> : null}
      {kind === "sail" ? <SailForm {...form} /> : null}
      <details>
        <summary>{words.more}</summary>
        <div className="passage-fields">
          <Optional {...form} name="roll_period_s" label={words.roll} low={1} high={60} />
          <Optional {...form} name="length_m" label={words.length} low={1} high={500} />
        </div>
      </details>
    </fieldset>
  );
}

const [SLOWEST, FASTEST] = [0.5, 100];

function Speed({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  return (
    <NumberField
      label={vessel.kind === "motor" ? words.calmSpeed : words.speed}
      value={vessel.speed_kt}
      low={SLOWEST}
      high={FASTEST}
      wrong={boundsText(SLOWEST, FASTEST, style)}
      onChange={(speed_kt) => onChange({ speed_kt }, "speed")}
    />
  );
}

interface OptionalProps extends VesselFormProps {
  name: "roll_period_s" | "length_m";
  label: string;
  low: number;
  high: number;
}

function Optional({ vessel, style, onChange, name, label, low, high }: OptionalProps) {
  return (
    <NumberField
      label={label}
      value={vessel[name]}
      low={low}
      high={high}
      wrong={boundsText(low, high, style)}
      onEmpty={() => onChange({ [name]: undefined }, name)}
      onChange={(value) => onChange({ [name]: value }, name)}
    />
  );
}
