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

it("shows at a later start how to create a key, but no key", () => {
  expect(startupBanner(place)).toMatch(/^ {2}Open MetOcean +http:\/\/127\.0\.0\.1:3000\/$/m);
  expect(startupBanner(place)).toContain("npm run metocean -- keys create --owner");
});

it("names an address that a browser can open", () => {
  expect(startupBanner({ ...place, host: "0.0.0.0" })).toContain("http://localhost:3000/");
  expect(startupBanner({ ...place, host: "::1" })).toContain("http://[::1]:3000/");
});
