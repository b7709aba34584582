import { connection } from "next/server";
import { Suspense } from "react";
import { MapScreen } from "#components/view/map-screen.tsx";

export default async function MapPage() {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  return (
    <Suspense>
      <MapScreen />
    </Suspense>
  );
}
