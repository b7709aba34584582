import { useEffect, useRef, useState } from "react";
import type { Alert } from "#lib/contract/watch.ts";

const SAVED = "alert-notices";

/** Whether this device wants notifications of the browser; false where it has none or does not allow them. */
export function wantsNotices(): boolean {
  try {
    return canNotify() && Notification.permission === "granted" && localStorage.getItem(SAVED) === "on";
  } catch {
    return false;
  }
}

const canNotify = () => typeof Notification !== "undefined";

/** @returns Whether they are on from now on. */
export async function setNotices(on: boolean): Promise<boolean> {
  const allowed = on && canNotify() && (await Notification.requestPermission()) === "granted";
  try {
    localStorage.setItem(SAVED, allowed ? "on" : "off");
  } catch {
    // Without storage it is for this page.
  }
  return allowed;
}

/**
 * Tells of alerts that come while the page is open: by a notification of the browser where it is wanted.
 *
 * @returns The newest of them.
 */
export function useNewAlert(alerts: readonly Alert[] | undefined, wanted: boolean): Alert | undefined {
  const seen = useRef<Set<string>>(undefined);
  const [newest, setNewest] = useState<Alert>();
  useEffect(() => {
    if (!alerts) return;
    const known = seen.current;
    const fresh = known ? alerts.filter(({ id, read_at }) => !known.has(id) && read_at === null) : [];
    seen.current = new Set([...(known ?? []), ...alerts.map(({ id }) => id)]);
    if (fresh[0]) setNewest(fresh[0]);
    if (!wanted || !known) return;
    for (const { id, message } of fresh) {
      // One notification for each alert, also where several pages are open.
      const notice = new Notification(message.title, {
        body: message.sentence,
        tag: id,
        lang: message.language,
      });
      notice.onclick = () => window.open(message.link, "_self");
    }
  }, [alerts, wanted]);
  return newest;
}
