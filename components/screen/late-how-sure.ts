import dynamic from "next/dynamic";
import { nothing } from "#components/ui/nothing.ts";
import { withWords } from "#components/words/late-words.ts";

// The switch to the members of an ensemble loads after the first interaction.
const load = withWords(() => import("./how-sure.tsx"), "ensemble");

/** The switch to what the members of an ensemble say about a layer. */
export const HowSure = dynamic(() => load().then((file) => file.HowSure, nothing), { ssr: false });

/** The choice among the statistics of a layer. */
export const StatisticChoices = dynamic(() => load().then((file) => file.StatisticChoices, nothing), {
  ssr: false,
});
