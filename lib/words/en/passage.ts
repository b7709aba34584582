import { passageBetter } from "./passage-better.ts";
import { passageOutlook } from "./passage-outlook.ts";
import { passageRoute } from "./passage-route.ts";

/** The words of the panel of passages, loaded with it. Those of the other languages have the same form. */
export const passage = { route: passageRoute, outlook: passageOutlook, better: passageBetter };

export type PassageWords = typeof passage;
