import { onlineManager } from "@tanstack/react-query";

/**
 * Tells the query cache whether the page opened with a network. The cache assumes one until it has gone, so that a page
 * that opened without would not send its failed requests again when the network is back.
 */
export function noteNetwork(): void {
  onlineManager.setOnline(navigator.onLine);
}
