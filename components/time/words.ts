const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Sat 15 Jan 12:00`, UTC. @param time Unix seconds. */
export function shortTime(time: number): string {
  const date = new Date(time * 1000);
  const clock = date.toISOString().slice(11, 16);
  return `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${clock}`;
}

/** `Sat 15 Jan 2011 12:00 UTC (+120 h)`: the lead time is counted from the run. @param runTime Unix seconds. */
export function timeText(time: number, runTime?: number): string {
  const [day = "", date = "", month = "", clock = ""] = shortTime(time).split(" ");
  const written = `${day} ${date} ${month} ${new Date(time * 1000).getUTCFullYear()} ${clock} UTC`;
  if (runTime === undefined) return written;
  const hours = Math.round((time - runTime) / 3600);
  return `${written} (${hours < 0 ? "−" : "+"}${Math.abs(hours)} h)`;
}

/** `now`, `6 h ago`, `in 3 d`: from two days on in days. Unix seconds. */
export function agoText(time: number, now: number): string {
  const hours = Math.round((time - now) / 3600);
  if (hours === 0) return "now";
  const far = Math.abs(hours);
  const span = far < 48 ? `${far} h` : `${Math.round(far / 24).toLocaleString("en")} d`;
  return hours < 0 ? `${span} ago` : `in ${span}`;
}
