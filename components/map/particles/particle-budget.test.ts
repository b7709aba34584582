import { expect, it } from "vitest";
import { ParticleBudget } from "./particle-budget.ts";

function after(guard: ParticleBudget, times: number[]): number {
  for (const time of times) guard.frame(time);
  return guard.count;
}

const second = (time: number) => Array.from({ length: 60 }, () => time);

it("keeps all particles while frames come in time", () => {
  expect(after(new ParticleBudget(5000), [...second(16.7), ...second(19)])).toBe(5000);
});

it("forgives single slow frames", () => {
  const times = second(16);
  times[10] = 300;
  times[40] = 80;
  expect(after(new ParticleBudget(5000), times)).toBe(5000);
});

it("halves the particles each second while one frame in twenty is slow, down to a few", () => {
  const guard = new ParticleBudget(5000);
  expect(after(guard, second(25))).toBe(2500);
  expect(after(guard, second(25))).toBe(1250);
  for (let index = 0; index < 9; index++) after(guard, second(25));
  expect(guard.count).toBe(250);
});

it("never has more than it began with, also with few", () => {
  expect(after(new ParticleBudget(100), second(50))).toBe(100);
});

it("forgets what was measured before a pause", () => {
  const guard = new ParticleBudget(5000);
  after(guard, second(50).slice(1));
  guard.reset();
  expect(after(guard, second(16).slice(1))).toBe(5000);
});
