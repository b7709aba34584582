import { beforeEach, expect, it } from "vitest";
import { stubStorage } from "#test/storage.ts";
import { forgetPort, keepPort, parseOwnPort, writeOwnPort } from "./own-ports.ts";

let storage: ReturnType<typeof stubStorage>;
beforeEach(() => {
  storage = stubStorage();
});

const differences = { high_minutes: 12, low_minutes: -5, high_m: -0.3, low_m: 0 };
const cove = { name: "Cove, inner", differences };
const kept = () => (JSON.parse(storage.stored.get("metocean-own-ports")!) as { ports: object }).ports;

it.each([
  ["12,-5,-0.3,0,Cove, inner", cove, "12,-5,-0.3,0,Cove, inner"],
  ["12,-5,-0.3,0", { name: "", differences }, "12,-5,-0.3,0"],
  ["12.2,-5,-0.301,-0.001, Cove, inner ", cove, "12,-5,-0.3,0,Cove, inner"],
  [
    "720,-720,20,-20",
    { name: "", differences: { high_minutes: 720, low_minutes: -720, high_m: 20, low_m: -20 } },
    "720,-720,20,-20",
  ],
])("a link keeps a secondary port: %s", (text, port, written) => {
  expect(parseOwnPort(text)).toEqual(port);
  expect(writeOwnPort(port)).toBe(written);
  expect(Object.values(parseOwnPort(text)!.differences).some((value) => Object.is(value, -0))).toBe(false);
});

it.each([
  "",
  "12",
  "12,5,0",
  "0,0,0,0,Cove",
  "0.2,0,0.004,0",
  "721,0,0,0",
  "0,0,20.1,0",
  "x,0,1,0",
  "0x9,0,1,0",
  ",,,1",
  "1e999,0,0,0",
])("%j of a link is no secondary port", (text) => expect(parseOwnPort(text)).toBeNull());

it("the device keeps one port for a station, and forgets no other than the one that is removed", () => {
  expect(keepPort("a", cove)).toBe(true);
  keepPort("b", cove);
  const other = { ...cove, name: "Pier" };
  keepPort("a", other);
  forgetPort("a", cove);
  expect(kept()).toEqual({ a: "12,-5,-0.3,0,Pier", b: "12,-5,-0.3,0,Cove, inner" });
  forgetPort("a", other);
  expect(kept()).toEqual({ b: "12,-5,-0.3,0,Cove, inner" });
  storage.isFull = true;
  expect(keepPort("a", cove)).toBe(false);
});
