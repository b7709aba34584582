import { type Answer, ask } from "./catalogue.ts";

/** Submits a task of one place. @returns Its id, if it was accepted, and how the request was answered. */
export async function submitOne(
  origin: string,
  key: string,
  time: string,
  timeoutMs = 60_000,
): Promise<{ id?: string; status: string }> {
  const points = [{ latitude: 41, longitude: -31, timestamp: time }];
  const body = JSON.stringify({ points, variables: ["wind"] });
  let answer: Answer;
  try {
    const request = { method: "POST", path: "/MetOcean/async", body } as const;
    answer = await ask(origin, key, request, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    return { status: error instanceof Error ? error.message : String(error) };
  }
  const status = String(answer.status);
  return answer.status === 202
    ? { status, id: (JSON.parse(answer.text) as { task_id: string }).task_id }
    : { status };
}

/** Tasks that have not ended; 1 where nobody can say. */
export async function pendingTasks(origin: string, key: string): Promise<number> {
  const answer = await ask(origin, key, { method: "GET", path: "/user/tasks/PENDING" }).catch(
    () => undefined,
  );
  return answer?.status === 200 ? (JSON.parse(answer.text) as { results: unknown[] }).results.length : 1;
}

export async function succeeded(origin: string, key: string, id: string): Promise<boolean> {
  const { status, text } = await ask(origin, key, { method: "GET", path: `/task/${id}` });
  return status === 200 && (JSON.parse(text) as { status: string }).status === "SUCCESS";
}
