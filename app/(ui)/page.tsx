import { connection } from "next/server";
import { Suspense } from "react";
import { MapScreen } from "#components/screen/map-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { requestSearch, type SearchParams } from "#components/view-state/view-text.ts";

export default async function MapPage({ searchParams }: { searchParams: SearchParams }) {
  // The page is rendered per request, because it shows the view of the query.
  await connection();
  const search = await requestSearch(searchParams);
  return (
    <AddressState search={search}>
      <Suspense>
        <MapScreen />
      </Suspense>
    </AddressState>
  );
}
