import { type DatesWords, dates as english } from "../en/dates.ts";

export const dates: DatesWords = english;
