const YEAR_S = 31_536_000;

/** Value of a cookie of this page: a choice that the server needs to render it, never a secret. */
export function cookieOf(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];
}

/** Saves a choice for a year. */
export function saveCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
