import type { Check } from "./check.ts";
import { kills } from "./kills.ts";
import { outagesCheck } from "./outages.ts";
import { rolling } from "./rolling.ts";
import { skew } from "./skew.ts";
import { streams } from "./streams.ts";
import { upgrade } from "./upgrade.ts";

export const checks: Readonly<Record<string, Check>> = {
  kills,
  rolling,
  upgrade,
  outages: outagesCheck,
  skew,
  streams,
};
