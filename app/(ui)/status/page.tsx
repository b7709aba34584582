import { connection } from "next/server";
import { Suspense } from "react";
import { titleOf } from "#app/page-title.ts";
import { StatusScreen } from "#components/screen/status-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { requestSearch, type SearchParams } from "#components/view-state/view-text.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export const generateMetadata = () => titleOf("status");

export default async function StatusPage({ searchParams }: { searchParams: SearchParams }) {
  // The page is rendered per request, because it depends on a setting.
  await connection();
  const { context } = await sharedApp();
  return (
    <AddressState search={await requestSearch(searchParams)}>
      <Suspense>
        <StatusScreen open={context.feeds.open} />
      </Suspense>
    </AddressState>
  );
}
