import { onlineManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { noteNetwork } from "./note-network.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
});

it("a request that failed on a page that opened without a network is sent again when the network is back", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  noteNetwork();
  const client = new QueryClient();
  client.mount();
  const send = vi.fn(() => Promise.reject(new TypeError("no network")));
  const observer = new QueryObserver(client, {
    queryKey: ["manifest"],
    queryFn: send,
    retry: false,
    networkMode: "always",
    refetchOnReconnect: "always",
  });
  const unsubscribe = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true));
  onlineManager.setOnline(true);
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  unsubscribe();
  client.unmount();
});
