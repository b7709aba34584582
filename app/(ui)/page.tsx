import { connection } from "next/server";
import { Suspense } from "react";
import { MapScreen } from "#components/screen/map-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { namesPlace } from "#components/view-state/first-view.ts";
import { requestSearch, type SearchParams } from "#components/view-state/view-text.ts";
import type { StrongWind } from "#lib/contract/strong-wind.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export default async function MapPage({ searchParams }: { searchParams: SearchParams }) {
  // The page is rendered per request, because it shows the view of the query.
  await connection();
  const { tileOverlays } = (await sharedApp()).context;
  const search = await requestSearch(searchParams);
  const winds = namesPlace(search) ? Promise.resolve([]) : windsForVisitor();
  return (
    <AddressState search={search}>
      <Suspense>
        <MapScreen winds={winds} tiles={tileOverlays} />
      </Suspense>
    </AddressState>
  );
}

/** The strongest winds, which visitors without a key are told only while they are let in. The page does not wait for them. */
async function windsForVisitor(): Promise<readonly StrongWind[]> {
  const { guests, strongWinds } = (await sharedApp()).context;
  return (await guests?.isOpen()) ? strongWinds() : [];
}
