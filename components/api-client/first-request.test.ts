import { afterEach, expect, it } from "vitest";
import { firstReply, firstRequestScript } from "./first-request.ts";

const PATH = "/2DMetOcean/manifest?variable=wind";

afterEach(() => {
  globalThis.firstRequest = undefined;
});

interface Browser {
  hash?: string;
  ofTab?: string;
  ofDevice?: string;
  guests?: boolean;
}

/** Runs the script. @returns Headers of what it sent; undefined where it sent nothing. */
function sentBy({ hash = "", ofTab, ofDevice, guests = false }: Browser): Record<string, string> | undefined {
  let sent: Record<string, string> | undefined;
  const stored = (key?: string) => ({ getItem: () => key ?? null });
  new Function(
    ...["location", "sessionStorage", "localStorage", "fetch", "window"],
    firstRequestScript(PATH, guests),
  )(
    { hash },
    stored(ofTab),
    stored(ofDevice),
    async (path: string, { headers }: { headers: Record<string, string> }) => {
      expect(path).toBe(PATH);
      sent = headers;
      return new Response("early");
    },
    globalThis,
  );
  return sent;
}

it("is sent by the key in use, which goes before that of a link", () => {
  expect(sentBy({ ofTab: "tab", ofDevice: "device", hash: "#key=link" })).toEqual({ "x-api-key": "tab" });
  expect(sentBy({ ofDevice: "device", hash: "#key=link" })).toEqual({ "x-api-key": "device" });
  expect(sentBy({ hash: "#key=link" })).toEqual({ "x-api-key": "link" });
});

it("without a key it is sent only where visitors are let in", () => {
  expect(sentBy({})).toBeUndefined();
  expect(sentBy({ guests: true })).toEqual({});
});

it("answers the same request once", async () => {
  sentBy({ ofTab: "tab" });
  const init = { headers: { "x-api-key": "tab" } };
  expect(firstReply("/MetOcean", init)).toBeUndefined();
  expect(await (await firstReply(PATH, init))?.text()).toBe("early");
  expect(firstReply(PATH, init)).toBeUndefined();
});

it("answers no request of another key", () => {
  sentBy({ ofTab: "tab" });
  expect(firstReply(PATH, { headers: { "x-api-key": "other" } })).toBeUndefined();
});
