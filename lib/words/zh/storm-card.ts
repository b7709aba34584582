import { stormCard as english, type StormCardWords } from "../en/storm-card.ts";

export const stormCard: StormCardWords = english;
