/** Hands a file to the browser, to be saved under a name. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save when the click returns; the bytes stay until it has them.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
