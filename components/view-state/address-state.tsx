"use client";

import { NuqsAdapter } from "nuqs/adapters/react";
import type { ReactNode } from "react";

/**
 * Keeps the view in the address without the router of Next: that one writes the address of its last rendering over newer
 * ones, which loses choices made meanwhile on a slow machine.
 *
 * @param search Query of the request, so that the server renders the requested view.
 */
export function AddressState({ search, children }: { search: string; children: ReactNode }) {
  return <NuqsAdapter serverSearch={search}>{children}</NuqsAdapter>;
}
