"use client";

import { NuqsAdapter } from "nuqs/adapters/react";
import type { ReactNode } from "react";

/**
 * Keeps what a page shows in its address, past the router of Next: that one writes the address of its last rendering
 * back over newer ones, and on a slow machine a choice made meanwhile was lost.
 *
 * @param search Query of the request, so that the server renders the page that was asked for.
 */
export function AddressState({ search, children }: { search: string; children: ReactNode }) {
  return <NuqsAdapter serverSearch={search}>{children}</NuqsAdapter>;
}
