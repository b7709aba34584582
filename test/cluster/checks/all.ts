import type { Check } from "./check.ts";
import { kills } from "./kills.ts";
import { outagesCheck } from "./outages.ts";
import { rolling } from "./rolling.ts";
import { skew } from "./skew.ts";
import { streams } from "./streams.ts";

export const checks: Readonly<Record<string, Check>> = {
  kills,
  rolling,
  outages: outagesCheck,
  skew,
  streams,
};
