import { createContext, type ReactNode, use } from "react";

/** How this service lets people in, as its operator has set it. */
export interface Access {
  /** Whether visitors without a key read the map: by a session of the page, or without. */
  guests: "off" | "map" | "api";
  /** Whether a key is sent to whoever gives an e-mail address. */
  keyRequests?: boolean;
}

const AccessContext = createContext<Access>({ guests: "off" });

/** Tells the pages below how people are let in. */
export function AccessProvider({ access, children }: { access: Access; children: ReactNode }) {
  return <AccessContext value={access}>{children}</AccessContext>;
}

export function useAccess(): Access {
  return use(AccessContext);
}
