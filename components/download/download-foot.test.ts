import { afterEach, expect, it, vi } from "vitest";
import type { FileBody } from "#components/api-client/file-service.ts";
import { fetchFile } from "./download-foot.tsx";

afterEach(() => vi.unstubAllGlobals());

const body: FileBody = {
  area: { type: "box", latitude: [0, 1], longitude: [0, 1] },
  variables: ["wind"],
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-01T00:00:00Z",
};

function fetched(reply: Response) {
  vi.stubGlobal("fetch", async () => reply);
  const received: number[] = [];
  const file = fetchFile("key", body, new AbortController().signal, (bytes) => received.push(bytes));
  return { file, received };
}

it("a file arrives whole, and says how much has come", async () => {
  const type = "application/x-grib2";
  const { file, received } = fetched(new Response("GRIB…7777", { headers: { "content-type": type } }));
  const blob = await file;
  expect([await blob.text(), blob.type]).toEqual(["GRIB…7777", type]);
  expect(received.at(-1)).toBe(blob.size);
});

it.each([
  ["a failure", Response.json({ task_id: "a", status: "FAILURE", error: "Out" }), "Out (task a)"],
  [
    "the page of a captive portal",
    new Response("<html>", { headers: { "content-type": "text/html" } }),
    "not the service",
  ],
])("%s is an error, and never saved as a file", async (_, reply, message) => {
  await expect(fetched(reply).file).rejects.toMatchObject({
    name: "ServiceError",
    message: expect.stringContaining(message),
  });
});
