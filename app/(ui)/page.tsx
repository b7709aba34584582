import { connection } from "next/server";
import { Suspense } from "react";
import { AddressState } from "#components/view/address-state.tsx";
import { type AskedParams, askedSearch } from "#components/view/asked-search.ts";
import { MapScreen } from "#components/view/map-screen.tsx";

export default async function MapPage({ searchParams }: { searchParams: AskedParams }) {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  return (
    <AddressState search={await askedSearch(searchParams)}>
      <Suspense>
        <MapScreen />
      </Suspense>
    </AddressState>
  );
}
