import type { Metadata } from "next";
import { connection } from "next/server";
import { Suspense } from "react";
import { TaskInbox } from "#components/tasks/task-inbox.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { type SearchParams, requestSearch } from "#components/view-state/request-search.ts";
import { appContext } from "#server/operations/app-context.ts";

export const metadata: Metadata = { title: "Tasks – Open MetOcean" };

export default async function TasksPage({ searchParams }: { searchParams: SearchParams }) {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  return (
    <AddressState search={await requestSearch(searchParams)}>
      <Suspense>
        <TaskInbox now={appContext().weather.now()} />
      </Suspense>
    </AddressState>
  );
}
