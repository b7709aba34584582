import dynamic from "next/dynamic";
import { withWords } from "#components/words/late-words.ts";

const load = withWords(() => import("#components/legend/difference-legend.tsx"), "difference");

/** The legend of a difference, which few views need: on the map, and on paper once the map has loaded it. */
export const DifferenceLegend = dynamic(() => load().then((file) => file.DifferenceLegend), { ssr: false });
