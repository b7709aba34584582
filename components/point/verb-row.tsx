import { Icon, type IconName } from "#components/ui/icon.tsx";

/** An action for a place. */
export interface Verb {
  icon: IconName;
  /** A short word, which occurs in the name. */
  word: string;
  name: string;
  /** Whether it is on; undefined for an action that does not switch something on and off. */
  isPressed?: boolean;
  onPress(): void;
}

/** Actions in a row, each an icon above a word. */
export function VerbRow({ verbs }: { verbs: readonly Verb[] }) {
  return (
    <div className="grid grid-cols-5 gap-1">
      {verbs.map(({ icon, word, name, isPressed, onPress }) => (
        <button
          key={word}
          type="button"
          aria-label={name}
          aria-pressed={isPressed}
          className="grid min-h-11 min-w-0 content-center justify-items-center gap-0.5 rounded-md text-[0.6875rem] text-accent leading-4 hover:bg-page aria-pressed:bg-page"
          onClick={onPress}
        >
          <Icon name={icon} />
          <span className="max-w-full truncate text-text">{word}</span>
        </button>
      ))}
    </div>
  );
}
