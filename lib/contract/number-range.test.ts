import { expect, it } from "vitest";
import { channelRequest } from "./channels.ts";
import { numberRangeAt } from "./number-range.ts";
import { gateForm, limitsForm, passageRequest } from "./passage.ts";
import { watchRequest } from "./watch.ts";

const asked = (kind: string) => ({ question: { kind } });

it.each([
  ["an optional number", passageRequest, ["vessel", "speed_kt"], {}, [0.5, 100]],
  ["a number with a default", passageRequest, ["vessel", "factor"], {}, [0.1, 1.5]],
  ["a nullable one", limitsForm, ["storm_km"], {}, [0, 10_000]],
  ["an element of a list", passageRequest, ["vessel", "table", "head_kt", 3], {}, [0, 100]],
  ["a branch of a union", watchRequest, ["question", "lasting_hours"], asked("window"), [1, 240]],
  ["another branch", watchRequest, ["question", "coefficient"], asked("tide_extreme"), [20, 120]],
  ["a branch with a rule of its own", gateForm, ["to_h"], { kind: "high_water" }, [-12, 12]],
  ["a branch that lacks it", watchRequest, ["question", "lasting_hours"], asked("tide"), undefined],
  ["no branch", watchRequest, ["question", "lasting_hours"], {}, undefined],
  ["a text", channelRequest, ["target"], {}, undefined],
  ["nothing", channelRequest, ["nothing", "below"], {}, undefined],
])("has the bounds of %s", (_, schema, path, value, range) =>
  expect(numberRangeAt(schema, path, value)).toEqual(range),
);
