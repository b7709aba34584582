const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML or XML has it, between tags and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** A text as HTML; the address of a page as a link to it. */
export function linkedHtml(text: string): string {
  const shown = escapeMarkup(text);
  return /^https?:\/\/\S+$/.test(text) ? `<a href="${shown}">${shown}</a>` : shown;
}
