import type { Metadata } from "next";
import { connection } from "next/server";
import { Suspense } from "react";
import { TaskInbox } from "#components/tasks/task-inbox.tsx";
import { house } from "#server/operations/house.ts";

export const metadata: Metadata = { title: "Tasks – Open MetOcean" };

export default async function TasksPage() {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  return (
    <Suspense>
      <TaskInbox now={house().weather.now()} />
    </Suspense>
  );
}
