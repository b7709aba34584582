import { test as base, expect, type Page } from "@playwright/test";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

/** Origin of the server under test. */
export const origin = (): string => process.env.E2E_URL ?? "";

/** Conditions as POST /MetOcean answers them for places at one time. */
export async function ask(
  places: readonly { latitude: number; longitude: number }[],
  timestamp: string,
  variables: readonly string[] = ["wind"],
): Promise<Record<string, number | null>[]> {
  const reply = await fetch(`${origin()}/MetOcean`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({
      points: places.map(({ latitude, longitude }) => ({ latitude, longitude, timestamp })),
      variables,
    }),
  });
  const { result } = (await reply.json()) as {
    result: { results: { conditions: Record<string, number | null> }[] };
  };
  return result.results.map(({ conditions }) => conditions);
}

/** Opens the map with the key in the fragment and waits until the finest field is drawn. */
export async function openMap(page: Page, query: string): Promise<void> {
  await page.goto(`${origin()}/?${query}#key=${KEY}`);
  await mapIsSettled(page);
}

/** A test whose page must log no error, break no policy and ask no other host for anything. */
export const test = base.extend<{ quietPage: Page }>({
  quietPage: async ({ page }, use) => {
    const noise: string[] = [];
    page.on("console", (message) => {
      // A provider whose storms were never read answers 503, as the contract says; browsers note every 503.
      if (message.location().url.includes("/storms?") && message.text().includes("503")) return;
      if (["error", "warning"].includes(message.type())) noise.push(message.text());
    });
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (!["blob:", "data:"].includes(url.protocol) && url.origin !== origin()) noise.push(request.url());
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        queueMicrotask(() => {
          throw new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
        });
      });
    });
    await use(page);
    expect(noise).toEqual([]);
  },
});

export { expect };
