/** In the 503 of a busy service, where the request may be sent as a task: other failures have the same status. */
export const taskHasMoreTime = "A task has more time";
