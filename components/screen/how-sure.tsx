import { Choice } from "#components/ui/choice.tsx";
import { limitText, limitUnit, paintedBy } from "#components/view-state/overlays.ts";
import { useChangeView, useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { ensembleQuantities, storedWindows } from "#lib/catalog/ensemble.ts";
import { choiceOf, FIRST_LIMIT, layerOf, type StatisticChoice, statisticName } from "#lib/catalog/painted.ts";
import { useWeather } from "./screen-context.tsx";

/**
 * Switch between a quantity and how many members of an ensemble are over a limit of it; renders nothing for a layer of which
 * no ensemble has members.
 */
export function HowSure({ className }: { className: string }) {
  const view = useView("l");
  const changeView = useChangeView();
  const { ensemble: texts } = useWords("ensemble");
  const { statistics } = useWeather("statistics");
  const painted = paintedBy(view.l);
  if (!painted) return null;
  const layer = layerOf(painted);
  const isOn = painted !== layer;
  const first = statisticName({ layer, limit: FIRST_LIMIT });
  if (!isOn && !(first && statistics.includes(first))) return null;
  return (
    <button
      type="button"
      className={`toggle ${className}`}
      aria-pressed={isOn}
      title={texts.explain}
      onClick={() => changeView({ l: isOn ? layer : first })}
    >
      {texts.sure}
    </button>
  );
}

/** Choice of the limit that members are counted for, or of their spread, and of the hours within which they are. */
export function StatisticChoices() {
  const view = useView("l", "u");
  const changeView = useChangeView();
  const words = useWords("ensemble");
  const { ensemble: texts } = words;
  const painted = paintedBy(view.l);
  const chosen = painted && choiceOf(painted);
  if (!chosen) return null;
  const { layer, limit, hours } = chosen;
  const { thresholds = [] } = ensembleQuantities.find(({ variable }) => variable === layer) ?? {};
  const unit = limitUnit(layer, view.u, words);
  const change = (to: Partial<StatisticChoice>) => {
    const name = statisticName({ ...chosen, ...to });
    if (name) changeView({ l: name });
  };
  return (
    <>
      <Choice
        title={texts.limit}
        options={[
          ...thresholds.map(({ value }, index) => [String(index), limitText(value, unit)] as const),
          ["spread", texts.spread] as const,
        ]}
        value={String(limit)}
        onChange={(value) =>
          change(value === "spread" ? { limit: value, hours: undefined } : { limit: Number(value) })
        }
      />
      {limit === "spread" ? null : (
        <Choice
          title={texts.when}
          options={[
            ["0", texts.at] as const,
            ...storedWindows.map((value) => [String(value), texts.within({ hours: value })] as const),
          ]}
          value={String(hours ?? 0)}
          onChange={(value) => change({ hours: storedWindows.find((one) => one === Number(value)) })}
        />
      )}
    </>
  );
}
