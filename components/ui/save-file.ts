/** Saves a file through the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download starts with the click but reads the bytes later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
