import { connection } from "next/server";
import { Suspense } from "react";
import { firstRequestScript } from "#components/api-client/first-request.ts";
import { manifestPath } from "#components/map/manifest-path.ts";
import { MapScreen } from "#components/screen/map-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { paintedBy, requestedLayer } from "#components/view-state/layers.ts";
import { requestSearch, type SearchParams } from "#components/view-state/request-search.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export default async function MapPage({ searchParams }: { searchParams: SearchParams }) {
  // Made when it is asked for: it shows the view of the query.
  await connection();
  const search = await requestSearch(searchParams);
  const { context } = await sharedApp();
  const script = firstRequestScript(
    manifestPath(paintedBy(requestedLayer(search))),
    (context.guests?.mode ?? "off") !== "off",
  );
  return (
    <AddressState search={search}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React writes a script no other way; nothing in it is of the request */}
      <script dangerouslySetInnerHTML={{ __html: script }} />
      <Suspense>
        <MapScreen />
      </Suspense>
    </AddressState>
  );
}
