import { Suspense } from "react";
import { titleOf } from "#app/page-title.ts";
import { InboxScreen } from "#components/screen/inbox-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { requestSearch, type SearchParams } from "#components/view-state/view-text.ts";

export const generateMetadata = () => titleOf("inbox");

export default async function InboxPage({ searchParams }: { searchParams: SearchParams }) {
  return (
    <AddressState search={await requestSearch(searchParams)}>
      <Suspense>
        <InboxScreen />
      </Suspense>
    </AddressState>
  );
}
