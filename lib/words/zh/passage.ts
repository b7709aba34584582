import type { PassageWords } from "../en/passage.ts";
import { passageBetter } from "./passage-better.ts";
import { passageOutlook } from "./passage-outlook.ts";
import { passageRoute } from "./passage-route.ts";

export const passage: PassageWords = { route: passageRoute, outlook: passageOutlook, better: passageBetter };
