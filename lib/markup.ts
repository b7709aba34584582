const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML and XML, between tags and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** A text as HTML, in which addresses of pages become links. */
export function linkedHtml(text: string): string {
  const shown = escapeMarkup(text);
  return /^https?:\/\/\S+$/.test(text) ? `<a href="${shown}">${shown}</a>` : shown;
}

/**
 * Namespace of the extensions in GPX: attributes of `met:piece` and `met:gate` have the names and units of
 * the JSON fields.
 */
export const PASSAGE_NAMESPACE = "urn:open-metocean:passage:1";
