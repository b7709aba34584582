/** Marks the frame after the first field was drawn, on the picture or on a map, as `field` among the page's performance marks. */
export function markField(after: () => void): void {
  requestAnimationFrame(() => {
    performance.mark("field");
    after();
  });
}
