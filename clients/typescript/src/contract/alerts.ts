// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface AlertMessage {
  kind: "fired" | "cleared" | "new_run" | "test" | "channel";
  /** Null for what no watch says. */
  watch_id: string | null;
  watch_name: string;
  /** One line: what it is about. */
  title: string;
  /** What, when, and by which run; plain text. */
  sentence: string;
  language: string;
  /** Model or agency and base time of the forecast, for people; null where there is none. */
  run: string | null;
  /** That base time. */
  run_at: number | null;
  /** The hour that the message is about. */
  valid_at: number | null;
  /** Until when it lasts, as far as the watch looks. */
  ends_at: number | null;
  /** What value and limit are of, such as gust_kt. */
  quantity: string | null;
  /** The greatest that decided, or the least where the limit is a least one. */
  value: number | null;
  limit: number | null;
  /** Of value and limit. */
  unit: string | null;
  /** The hour of value. */
  peak_at: number | null;
  /** From when it was found to valid_at. */
  lead_hours: number | null;
  /** Where it is, or what the watch is about. */
  place: {
    latitude: number;
    longitude: number;
  } | null;
  /** Path and query of the map in that state, without the host: /?p=…&t=…. */
  link: string;
  /** The numbers come from the demo world: they are invented. */
  synthetic: boolean;
}

export interface Alert {
  id: string;
  kind: "fired" | "cleared" | "new_run" | "test" | "channel";
  message: AlertMessage;
  created_at: string;
  read_at: string | null;
}

export interface AlertList {
  results: Alert[];
  /** Alerts of the owner that are not marked as read, in all. */
  unread: number;
}

export interface AlertsRead {
  /** All alerts where left out; at most 100. */
  ids?: string[];
}

export interface AlertSent {
  id: string;
  message: AlertMessage;
}
