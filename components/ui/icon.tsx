import { memo } from "react";

/** Stroke paths on a 24 × 24 grid. */
const strokes = {
  search: "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.5 15.5L21 21",
  menu: "M4 7h16M4 12h16M4 17h16",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  back: "M15 5l-7 7l7 7",
  forward: "M9 5l7 7l-7 7",
  earlier: "M12 5l-7 7l7 7M19 5l-7 7l7 7",
  later: "M5 5l7 7l-7 7M12 5l7 7l-7 7",
  up: "M5 15l7-7l7 7",
  down: "M5 9l7 7l7-7",
  calendar: "M4 6.5h16v13H4zM4 11h16M8.5 4v4M15.5 4v4",
  close: "M6 6l12 12M18 6L6 18",
  share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v7.5h14V12",
  save: "M12 4v11M7.5 11l4.5 4.5l4.5-4.5M5 20h14",
  ship: "M3 15h18l-3 5H6zM11 3v12M14 5l5 7h-5z",
  place: "M12 21c4.5-4.5 6.5-8 6.5-11a6.5 6.5 0 1 0-13 0c0 3 2 6.5 6.5 11zM12 8v4M10 10h4",
  add: "M12 5v14M5 12h14",
  edit: "M4 20l1-4.5L16.5 4L20 7.5L8.5 19zM14 6.5L17.5 10",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  star: "M12 3.5l2.6 5.4l5.9.8l-4.3 4.1l1.1 5.9L12 16.9l-5.3 2.8l1.1-5.9L3.5 9.7l5.9-.8z",
  starred: "M12 3.5l2.6 5.4l5.9.8l-4.3 4.1l1.1 5.9L12 16.9l-5.3 2.8l1.1-5.9L3.5 9.7l5.9-.8z",
  undo: "M8.5 4.5L4 9l4.5 4.5M4 9h10a5.5 5.5 0 0 1 0 11h-4",
  redo: "M15.5 4.5L20 9l-4.5 4.5M20 9H10a5.5 5.5 0 0 0 0 11h4",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  bell: "M6 17h12c-1.3-1.5-1.8-3-1.8-6.5a4.2 4.2 0 0 0-8.4 0C7.8 14 7.3 15.5 6 17zM10.3 20.5h3.4M12 4v2",
  clock: "M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16M12 7.5V12l3 2",
  lines: "M4 16c3 0 4-9 8-9s5 5 8 5M4 20c3 0 4-7 8-7s5 4 8 4",
  key: "M14 10a4.5 4.5 0 1 0-3.5 4.4L13 17h3v3h4v-4l-6.3-4.6",
} as const;

export type IconName = keyof typeof strokes;

/** A decorative icon; the button has its own name. */
export const Icon = memo(function Icon({ name, className }: { name: IconName; className?: string }) {
  const isSolid = name === "play" || name === "starred";
  return (
    <StrokeIcon d={strokes[name]} isSolid={isSolid} width={name === "more" ? 3.5 : 2} className={className} />
  );
});

interface StrokeProps {
  /** Path on a 24 × 24 grid. */
  d: string;
  isSolid?: boolean;
  width?: number;
  className?: string | undefined;
}

/** A decorative icon of strokes. */
export function StrokeIcon({ d, isSolid = false, width = 2, className = "size-5" }: StrokeProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={`inline-block shrink-0 ${className}`}
      fill={isSolid ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={d} />
    </svg>
  );
}
