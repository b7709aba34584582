import { expect, it } from "vitest";
import { ParticleBudget } from "./particle-system.ts";

function after(budget: ParticleBudget, times: number[]): number {
  for (const time of times) budget.frame(time);
  return budget.count;
}

const second = (time: number) => Array.from({ length: 60 }, () => time);

it("keeps all particles while frames are fast", () => {
  expect(after(new ParticleBudget(5000), [...second(16.7), ...second(19)])).toBe(5000);
});

it("tolerates single slow frames", () => {
  const times = second(16);
  times[10] = 300;
  times[40] = 80;
  expect(after(new ParticleBudget(5000), times)).toBe(5000);
});

it("halves the particles each second while one frame in twenty is slow, down to a minimum", () => {
  const budget = new ParticleBudget(5000);
  expect(after(budget, second(25))).toBe(2500);
  expect(after(budget, second(25))).toBe(1250);
  for (let index = 0; index < 9; index++) after(budget, second(25));
  expect(budget.count).toBe(250);
});

it("never exceeds its initial count, also with few particles", () => {
  expect(after(new ParticleBudget(100), second(50))).toBe(100);
});

it("ignores frame times from before a pause", () => {
  const budget = new ParticleBudget(5000);
  after(budget, second(50).slice(1));
  budget.reset();
  expect(after(budget, second(16).slice(1))).toBe(5000);
});

it("is called fast after three seconds of fast frames, slow after a slow one, whatever the first second was", () => {
  const [fast, slow] = [new ParticleBudget(5000), new ParticleBudget(5000)];
  after(fast, [...second(40), ...second(16), ...second(16)]);
  expect(fast.speed).toBeUndefined();
  after(fast, second(16));
  expect(fast.speed).toBe("fast");
  after(slow, [...second(16), ...second(16), ...second(25), ...second(16)]);
  expect(slow.speed).toBe("slow");
});
