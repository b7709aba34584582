// @ts-check
import { createPlugin } from "./plugin.js";

/** What a Signal K server loads. @param {import("./plugin.js").ServerApp} app */
export default function openMetOcean(app) {
  return createPlugin(app, { now: Date.now, fetch });
}
