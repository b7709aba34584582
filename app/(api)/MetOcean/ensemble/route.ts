export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "#server/operations/next-app.ts";
