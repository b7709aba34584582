import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { deviceSetting } from "#components/view-state/device-setting.ts";
import { useInBrowser } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";

/** Whether browser notifications are switched on for this device. */
const setting = deviceSetting("alert-notices", ["off", "on"]);

const canNotify = () => typeof Notification !== "undefined";

/** Whether alerts appear as browser notifications while the alerts page is open; false on the server. */
export function useNotices(): boolean {
  const wanted = setting.use() === "on";
  const inBrowser = useInBrowser();
  return wanted && inBrowser && canNotify() && Notification.permission === "granted";
}

/** Switches browser notifications on and off; renders nothing if the browser has none. */
export function NoticesChoice({ children }: { children: string }) {
  const { browserDenied } = useWords("watches").watches.page;
  const wanted = useNotices();
  const isOffered = useInBrowser() && canNotify();
  const [denied, setDenied] = useState(false);
  const change = async (on: boolean) => {
    const allowed = on && (await Notification.requestPermission()) === "granted";
    setting.set(allowed ? "on" : "off");
    setDenied(on && !allowed);
  };
  return isOffered ? (
    <>
      <Checkbox checked={wanted} onChange={(on) => void change(on)}>
        {children}
      </Checkbox>
      {denied ? <p role="alert">{browserDenied}</p> : null}
    </>
  ) : null;
}
