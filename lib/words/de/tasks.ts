import type { TasksWords } from "../en/tasks.ts";

export const tasks: TasksWords = {};
