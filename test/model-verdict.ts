import type { ModelVerdict } from "#lib/contract/passage-reply.ts";

/** The verdict of a model on a passage, without numbers. */
export const verdictOf = (
  model: string,
  says: ModelVerdict["says"],
  part: Partial<ModelVerdict> = {},
): ModelVerdict => ({
  model,
  says,
  arrival: null,
  max_wind_kt: null,
  max_gust_kt: null,
  max_height_m: null,
  by: "wind_kt",
  text: null,
  leg: null,
  at: null,
  unknown: [],
  ...part,
});
