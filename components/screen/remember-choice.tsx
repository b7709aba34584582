/** Whether a key stays on this device: part of a form that takes a key. */
export function RememberChoice() {
  return (
    <>
      <label className="mt-2 flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
        <input type="checkbox" name="remember" className="size-4 shrink-0 accent-accent" />
        Remember it on this device
      </label>
      <p className="text-muted text-sm">
        Otherwise it is gone when the tab is closed. Whoever uses this device can use a key that is
        remembered.
      </p>
    </>
  );
}

/** What was chosen in a form. */
export function remembers(form: HTMLFormElement): boolean {
  return new FormData(form).has("remember");
}
