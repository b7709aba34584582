import dynamic from "next/dynamic";
import { nothing } from "#components/ui/nothing.ts";
import { withWords } from "#components/words/late-words.ts";

const load = withWords(() => import("#components/legend/difference-legend.tsx"), "difference");

const loadStatistic = withWords(() => import("#components/legend/statistic-legend.tsx"), "ensemble");

/** The legend of a statistic over the members of an ensemble; it loads as that of a difference does. */
export const StatisticLegend = dynamic(() => loadStatistic().then((file) => file.StatisticLegend, nothing), {
  ssr: false,
});

/** The legend of a difference, which few views need: on the map, and on paper once the map has loaded it. */
export const DifferenceLegend = dynamic(() => load().then((file) => file.DifferenceLegend), { ssr: false });
