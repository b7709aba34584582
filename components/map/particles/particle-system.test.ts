import { expect, it } from "vitest";
import { ParticleBudget } from "./particle-system.ts";
import { isSoftware } from "./unasked-particles.ts";

const second = (time: number) => Array.from({ length: 60 }, () => time);
const spiky = second(16).with(10, 300).with(40, 80);

it.each([
  ["all while frames are fast", 5000, [...second(16.7), ...second(19)], 5000],
  ["all with single slow frames", 5000, spiky, 5000],
  ["half after a second in which one frame in twenty is slow", 5000, second(25), 2500],
  ["a quarter after two", 5000, [...second(25), ...second(25)], 1250],
  ["a few at least", 5000, Array.from({ length: 11 }, () => second(25)).flat(), 250],
  ["no more than at first", 100, second(50), 100],
])("draws of the particles %s", (_, first, times, count) => {
  const budget = new ParticleBudget(first);
  for (const time of times) budget.frame(time);
  expect(budget.count).toBe(count);
});

it("ignores frame times from before a pause", () => {
  const budget = new ParticleBudget(5000);
  for (const time of second(50).slice(1)) budget.frame(time);
  budget.reset();
  for (const time of second(16).slice(1)) budget.frame(time);
  expect(budget.count).toBe(5000);
});

it.each([
  [[40, 16, 16], undefined],
  [[40, 16, 16, 16], "fast"],
  [[16, 16, 25, 16], "slow"],
])(
  "after seconds of frames of %j ms, the first of which does not count, the device is %s",
  (seconds, speed) => {
    const budget = new ParticleBudget(5000);
    for (const time of seconds.flatMap(second)) budget.frame(time);
    expect(budget.speed).toBe(speed);
  },
);

it("is slow within six seconds where each frame takes a fifth of one", () => {
  const budget = new ParticleBudget(5000);
  for (let frame = 0; frame < 29; frame++) budget.frame(200);
  expect(budget.speed).toBeUndefined();
  budget.frame(200);
  expect(budget.speed).toBe("slow");
});

it.each([
  ["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)", true],
  ["llvmpipe (LLVM 17.0.6, 256 bits)", true],
  ["ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11)", true],
  ["", true],
  ["ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002503) Direct3D11 vs_5_0 ps_5_0, D3D11)", false],
  ["Apple GPU", false],
])("%s draws by a processor: %s", (renderer, software) => expect(isSoftware(renderer)).toBe(software));
