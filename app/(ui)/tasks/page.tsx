import { connection } from "next/server";
import { Suspense } from "react";
import { titleOf } from "#app/page-title.ts";
import { TasksScreen } from "#components/screen/tasks-screen.tsx";
import { AddressState } from "#components/view-state/address-state.tsx";
import { requestSearch, type SearchParams } from "#components/view-state/view-text.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export const generateMetadata = () => titleOf("tasks");

export default async function TasksPage({ searchParams }: { searchParams: SearchParams }) {
  // The page is rendered per request, because it shows the time of the weather clock.
  await connection();
  const { context } = await sharedApp();
  return (
    <AddressState search={await requestSearch(searchParams)}>
      <Suspense>
        <TasksScreen now={context.weather.now()} />
      </Suspense>
    </AddressState>
  );
}
