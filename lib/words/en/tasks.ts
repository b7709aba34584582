export const tasks = {};

export type TasksWords = typeof tasks;
