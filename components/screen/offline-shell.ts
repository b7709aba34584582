import { dataUse } from "#components/view-state/device-setting.ts";

/** After this long without an end of loading the page is taken as loaded, and after this long it is idle; milliseconds. */
const LOADED_MS = 4000;
const IDLE_MS = 15_000;

/**
 * Has the browser keep the pages and their scripts, so that they open without a network (public/sw.js): at first what this
 * visit has loaded anyway; the rest, of the other pages too, when somebody has used the page and it is idle, unless data is
 * to be saved.
 *
 * @returns Stops it.
 */
export function keepShell(): () => void {
  // Secure contexts only. The development bundler's scripts have no lasting names.
  if (process.env.NODE_ENV !== "production" || !navigator.serviceWorker) return () => undefined;
  const timers: ReturnType<typeof setTimeout>[] = [];
  const send = async (message: "keep used" | "keep all") => {
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage(message);
  };
  const onUse = () => {
    window.removeEventListener("pointerdown", onUse);
    window.removeEventListener("keydown", onUse);
    timers.push(setTimeout(() => dataUse() === "full" && void send("keep all"), IDLE_MS));
  };
  const register = async () => {
    await navigator.serviceWorker.register("/sw.js");
    await send("keep used");
  };
  // The first view goes first.
  timers.push(setTimeout(() => void register().catch(() => undefined), LOADED_MS));
  window.addEventListener("pointerdown", onUse);
  window.addEventListener("keydown", onUse);
  return () => {
    for (const timer of timers) clearTimeout(timer);
    window.removeEventListener("pointerdown", onUse);
    window.removeEventListener("keydown", onUse);
  };
}
