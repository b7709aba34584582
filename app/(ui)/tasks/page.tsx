import type { Metadata } from "next";
import { connection } from "next/server";
import { Suspense } from "react";
import { TaskInbox } from "#components/tasks/task-inbox.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { type AskedParams, askedSearch } from "#components/view-state/asked-search.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export const metadata: Metadata = { title: "Tasks – Open MetOcean" };

export default async function TasksPage({ searchParams }: { searchParams: AskedParams }) {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  const { context } = await sharedApp();
  return (
    <AddressState search={await askedSearch(searchParams)}>
      <Suspense>
        <TaskInbox now={context.weather.now()} />
      </Suspense>
    </AddressState>
  );
}
