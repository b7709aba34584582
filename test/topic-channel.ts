import type { Channel } from "#lib/contract/channels.ts";

/** An active channel to a topic of ntfy. */
export const topicChannel = (more: Partial<Channel> = {}): Channel => ({
  id: "0199aaaa-0000-7000-8000-000000000001",
  kind: "ntfy",
  name: "https://ntfy.example.org/boat",
  target: "https://ntfy.example.org/boat",
  state: "active",
  error: null,
  error_code: null,
  failing_since: null,
  created_at: "2027-01-01T00:00:00Z",
  ...more,
});
