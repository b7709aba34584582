const modifiers = new Set(["Shift", "Control", "Alt", "Meta"]);

/** Whether an event is that of a key which does nothing by itself. */
export const isModifier = (event: Event): boolean =>
  event instanceof KeyboardEvent && modifiers.has(event.key);
