import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { passage } from "#lib/messages/generated/en/passage.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { planOf } from "#test/passage.ts";
import { renderInPage } from "#test/render.tsx";
import { FuelForm, fuelFrom } from "./fuel-form.tsx";
import { totalsOf } from "./passage-facts.tsx";
import { formatDeciding, shortDeciding } from "./passage-format.tsx";

const nothing = { curve: "", rpm_speed: "", rpm_rate: "" };

it("a consumption is two numbers in each line, as people type them", () => {
  const typed = { ...nothing, curve: "4 1,5\n\n6;4\n7\t7.25\n" };
  expect(fuelFrom(typed, ["curve"], "l_h")).toEqual({
    unit: "l_h",
    curve: [
      { speed_kt: 4, rate: 1.5 },
      { speed_kt: 6, rate: 4 },
      { speed_kt: 7, rate: 7.25 },
    ],
  });
  const byRpm = { ...nothing, rpm_speed: "1000 4\n2000 6", rpm_rate: "1000 1\n2400 7" };
  expect(fuelFrom(byRpm, ["rpm_speed", "rpm_rate"], "t_day")).toMatchObject({
    unit: "t_day",
    rpm_speed: [{ rpm: 1000, speed_kt: 4 }, {}],
    rpm_rate: [{}, { rpm: 2400, rate: 7 }],
  });
});

it.each(["", "4", "4 1 2", "4 x", "4 -1", "four 1"])("%j is no consumption", (curve) => {
  expect(fuelFrom({ ...nothing, curve }, ["curve"], "l_h")).toBeUndefined();
});

const style = { units: defaultUnits, zone: utc, words: passage.outlook };
const plain = planOf(() => ({}), parseInstant("2026-09-15T12:00:00Z"));
const burning = (totals: Partial<PassagePlan["totals"]>, part: Partial<PassagePlan> = {}): PassagePlan => ({
  ...plain,
  ...part,
  totals: { ...plain.totals, ...totals },
});
const meta = { nearest_coast: null };

it("the totals have hours of the engine, fuel and CO₂ only if there is a consumption", () => {
  const titles = (plan: PassagePlan) => totalsOf(plan, meta, "fixed", style).map(([title]) => title);
  expect(titles(plain)).not.toContain("Fuel");
  const found = Object.fromEntries(totalsOf(burning({ fuel_t: 36.24, co2_t: 112.85 }), meta, "fixed", style));
  expect(found).toMatchObject({ Fuel: "36.2 t", "CO₂": "113 t", "Under motor": "10\u00a0h" });
  expect(titles(burning({ fuel_l: 5 }))).not.toContain("CO₂");
});

it("a limit of fuel that decides is said with its number, where so much is used", () => {
  const deciding = { by: "fuel", value: 52.4, limit: 40, ratio: 1.31, piece: 3, at: plain.end } as const;
  const over = burning({ fuel_l: 52.4 }, { verdict: "NO", deciding });
  expect(formatDeciding(over, style)).toMatch(/^Fuel 52 l, over your limit of 40 l \(.+\)\.$/);
  expect(shortDeciding(over, style)).toBe("Fuel 52 l");
  const near = burning(
    { fuel_l: 9.5 },
    { verdict: "CAUTION", deciding: { ...deciding, value: 9.5, limit: 10 } },
  );
  expect(formatDeciding(near, style)).toMatch(/^Fuel 9\.5 l, near your limit of 10 l/);
});

it("the form shows the tables that are in use in their units, and says where they end too early", () => {
  const rpm_speed = [
    { rpm: 1000, speed_kt: 4 },
    { rpm: 2000, speed_kt: 6 },
  ];
  const rpm_rate = [
    { rpm: 1000, rate: 1 },
    { rpm: 2000, rate: 5 },
  ];
  const form = (speed_kt: number) =>
    renderInPage(
      <FuelForm
        vessel={{ kind: "fixed", speed_kt, fuel: { rpm_speed, rpm_rate, limit: 60 } }}
        onChange={() => {}}
        rangeText={() => ""}
      />,
    );
  const html = form(6);
  for (const text of [
    "rpm and speed, kn",
    "rpm and l/h",
    "1000 4\n2000 6",
    "Most fuel for a passage, l",
    "CO₂ factor, kg/l",
  ])
    expect(html).toContain(text);
  expect(html).not.toContain("This must reach");
  expect(form(7)).toContain("This must reach 7 kn, the speed under motor.");
});
