import type { PassageWords } from "../en/passage.ts";
import { passageRoute } from "./passage-route.ts";

export const passage: PassageWords = { route: passageRoute };
