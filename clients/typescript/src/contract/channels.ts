// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface Channel {
  id: string;
  kind: "mail" | "webhook" | "ntfy";
  name: string;
  target: string;
  /** Unconfirmed: nothing but the link is sent until its reader confirms it; failing: deliveries are tried again; disabled: they failed for a day, or the target is gone; unsubscribed: its reader wants no more. */
  state: "unconfirmed" | "active" | "failing" | "disabled" | "unsubscribed";
  /** Why the last delivery failed. */
  error: string | null;
  /** Of the error; codes may be added. */
  error_code: "status" | "gone" | "timeout" | "refused" | "broken" | "unknown_name" | "certificate" | "unreachable" | "forbidden" | "no_mail" | "mail_server" | "mail_refused" | "service" | "other" | null;
  failing_since: string | null;
  /** YYYY-MM-DDThh:mm:ssZ. */
  created_at: string;
}

export interface ChannelRequest {
  kind: "mail" | "webhook" | "ntfy";
  /** For the list; the target where it is absent; at most 100 characters. */
  name?: string;
  /** Mail: an address. webhook: an https URL that receives a POST for each alert, signed as Standard Webhooks 1.0 says. ntfy: the https URL of a topic, such as https://ntfy.sh/my-topic; at most 2000 characters. */
  target: string;
  /** Ntfy: access token of the server, if the topic needs one. */
  token?: string;
  /** Mail: of the e-mail with the link; en by default; at most 10 characters. */
  language?: string;
}

export interface ChannelList {
  channels: Channel[];
  /** This service sends e-mails. */
  mail: boolean;
  /** There is an address of the calendar of weather windows. */
  calendar: boolean;
}

export interface ChannelCreated extends Channel {
  /** Of a webhook, whsec_…: it is shown once. */
  secret: string | null;
}

export interface ChannelSecret {
  /** Whsec_…: it is shown once. The one before signs too for a day. */
  secret: string;
}

export interface ChannelTest {
  delivered: boolean;
  /** Why it was not. */
  error: string | null;
  /** Of the error; codes may be added. */
  error_code: "status" | "gone" | "timeout" | "refused" | "broken" | "unknown_name" | "certificate" | "unreachable" | "forbidden" | "no_mail" | "mail_server" | "mail_refused" | "service" | "other" | null;
}

export interface CalendarAddress {
  /** Whoever has it reads the calendar: it is shown once, and can be changed. */
  url: string;
}
