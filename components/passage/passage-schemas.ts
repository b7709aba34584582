import "#components/api-client/without-eval.ts";

/** Contract schemas of the replies that the passage reads. In a file of its own, loaded with the first of them. */
export { passageResponse } from "#lib/contract/passage-reply.ts";
export { failureResponse } from "#lib/contract/point.ts";
export { stormDanger } from "#lib/contract/storm-danger.ts";
export { taskCreated } from "#lib/contract/task.ts";
