import { expect, it } from "vitest";
import { startupBanner } from "./startup-banner.ts";

const place = {
  host: "127.0.0.1",
  port: 3000,
  time: "2026-01-01T00:00:00Z",
  feeds: "none",
  guests: { mode: "off", ofDemo: true },
} as const;

it("shows the key in the fragment of the address, on its own, and in a curl command", () => {
  const text = startupBanner({ ...place, key: "mo_abc_secret" });
  expect(text).toContain("http://127.0.0.1:3000/#key=mo_abc_secret\n");
  expect(text).toMatch(/^ {2}API key +mo_abc_secret$/m);
  expect(text).toContain("curl -s http://127.0.0.1:3000/MetOcean -H 'x-api-key: mo_abc_secret'");
  const body = /-d '(.*)'/.exec(text)?.[1] ?? "";
  expect(JSON.parse(body)).toMatchObject({ variables: ["wind"], points: [{ timestamp: place.time }] });
});

it("shows at a later start how to create a key, and none", () => {
  expect(startupBanner(place)).toMatch(/^ {2}Open MetOcean +http:\/\/127\.0\.0\.1:3000\/$/m);
  expect(startupBanner(place)).toContain("npm run metocean -- keys create --owner");
});

it("names an address that a browser can open", () => {
  expect(startupBanner({ ...place, host: "0.0.0.0" })).toContain("http://localhost:3000/");
  expect(startupBanner({ ...place, host: "::1" })).toContain("http://[::1]:3000/");
});

it("says in one line how forecasts are turned on, and which ones are", () => {
  const key = "mo_abc_secret";
  for (const text of [startupBanner(place), startupBanner({ ...place, key })])
    expect(text).toMatch(/^ {2}Real forecasts +FEEDS=lite npm start;.* feeds plan .*$/m);
  expect(startupBanner({ ...place, feeds: "gfs,jtwc" })).toMatch(
    /^ {2}Forecasts +FEEDS=gfs,jtwc; no data until/m,
  );
});

it("says in one line whether visitors are let in without a key", () => {
  const key = "mo_abc_secret";
  for (const text of [startupBanner(place), startupBanner({ ...place, key })])
    expect(text).toMatch(/^ {2}Visitors +off: everybody needs a key; GUESTS=map /m);
  expect(startupBanner({ ...place, guests: { mode: "map", ofDemo: false } })).toMatch(
    /^ {2}Visitors +GUESTS=map: visitors read the map/m,
  );
  // Nobody has set it, and it ends with the demo world.
  expect(startupBanner({ ...place, guests: { mode: "map", ofDemo: true } })).toMatch(
    /^ {2}Visitors +while the demo world answers /m,
  );
  expect(startupBanner({ ...place, key, guests: { mode: "api", ofDemo: false } })).toMatch(
    /^ {2}Visitors +GUESTS=api: .*programs/m,
  );
});
