import { storms as english, type StormsWords } from "../en/storms.ts";

export const storms: StormsWords = english;
