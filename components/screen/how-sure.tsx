import { useQuery } from "@tanstack/react-query";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { hasMembersQuery } from "#components/api-client/ensembles.ts";
import { Choice } from "#components/ui/choice.tsx";
import { layerName, limitText, limitUnit, paintedBy } from "#components/view-state/overlays.ts";
import { useChangeView, useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { ensembleQuantities, storedWindows } from "#lib/catalog/ensemble.ts";
import {
  choiceOf,
  ensembleLayers,
  FIRST_LIMIT,
  layerOf,
  type StatisticChoice,
  type StatisticName,
  statisticName,
} from "#lib/catalog/painted.ts";

/** The statistic of a layer that is shown first: how many members are over its middle limit at the time of the map. */
const firstOf = (layer: DrawnVariable): StatisticName | undefined =>
  statisticName({ layer, limit: FIRST_LIMIT });

/** Layers of which an ensemble has statistics; empty until that is known. */
function useEnsembleLayers(): DrawnVariable[] {
  const key = useApiKey();
  const { data } = useQuery({
    ...hasMembersQuery(
      key ?? "",
      ensembleLayers.flatMap((layer) => firstOf(layer) ?? []),
    ),
    enabled: key !== undefined,
  });
  return ensembleLayers.filter((layer) => data?.includes(firstOf(layer) ?? ""));
}

/**
 * Switch beside the legend between a quantity and how many members of an ensemble are over a limit of it; renders nothing
 * for a layer of which no ensemble has members.
 */
export function HowSure() {
  const view = useView("l");
  const changeView = useChangeView();
  const { ensemble: texts } = useWords("ensemble");
  const layers = useEnsembleLayers();
  const painted = paintedBy(view.l);
  const layer = painted && layerOf(painted);
  const isOn = painted !== layer;
  if (!layer || !(isOn || layers.includes(layer))) return null;
  return (
    <button
      type="button"
      className="button surface sure"
      aria-pressed={isOn}
      title={texts.explain}
      onClick={() => changeView({ l: isOn ? layer : (firstOf(layer) ?? layer) })}
    >
      {texts.sure}
    </button>
  );
}

/** The layers of the list of layers that show how sure others are. */
export function SureLayers({ onChosen }: { onChosen(): void }) {
  const view = useView("l", "u");
  const changeView = useChangeView();
  const words = useWords("ensemble");
  const layers = useEnsembleLayers();
  const painted = paintedBy(view.l);
  if (layers.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="mb-1 text-muted text-xs">{words.ensemble.sure}</legend>
      {layers.map((layer) => {
        const name = firstOf(layer) ?? layer;
        return (
          <button
            key={layer}
            type="button"
            className="toggle"
            aria-pressed={painted !== undefined && painted !== layer && layerOf(painted) === layer}
            onClick={() => {
              changeView({ l: name });
              onChosen();
            }}
          >
            {layerName(name, words, view.u)}
          </button>
        );
      })}
    </fieldset>
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
