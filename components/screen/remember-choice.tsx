import { useWords } from "#components/words/words-context.ts";

/** Part of a form for a key: whether to store it on this device. */
export function RememberChoice() {
  const { key } = useWords().access;
  return (
    <>
      <label className="mt-2 flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
        <input type="checkbox" name="remember" className="size-4 shrink-0 accent-accent" />
        {key.remember}
      </label>
      <p className="text-muted text-sm">{key.rememberWhy}</p>
    </>
  );
}

/** Whether the box was checked in a form. */
export function remembers(form: HTMLFormElement): boolean {
  return new FormData(form).has("remember");
}
