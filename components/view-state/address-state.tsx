"use client";

import { NuqsAdapter } from "nuqs/adapters/react";
import type { ReactNode } from "react";

/**
 * Keeps the view in the address without Next's router, which writes the address of its last rendering over
 * newer ones and so loses choices made in the meantime on a slow machine.
 *
 * @param search Query of the request, so that the server renders the requested view.
 */
export function AddressState({ search, children }: { search: string; children: ReactNode }) {
  return <NuqsAdapter serverSearch={search}>{children}</NuqsAdapter>;
}
