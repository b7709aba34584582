import { connection } from "next/server";
import { Suspense } from "react";
import { MapScreen } from "#components/screen/map-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { requestSearch, type SearchParams } from "#components/view-state/request-search.ts";

export default async function MapPage({ searchParams }: { searchParams: SearchParams }) {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  return (
    <AddressState search={await requestSearch(searchParams)}>
      <Suspense>
        <MapScreen />
      </Suspense>
    </AddressState>
  );
}
