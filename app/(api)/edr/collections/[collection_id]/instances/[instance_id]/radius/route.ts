export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "#server/operations/next-route.ts";
