/** The pages. Each row is a link in the top bar, and in the bar at the bottom of a phone. */
const links = [
  { href: "/", title: "Map" },
  { href: "/tasks", title: "Tasks" },
  { href: "/docs", title: "API" },
] as const;

export type PagePath = (typeof links)[number]["href"];

/** Links to the pages. @param current The page that is open. */
export function NavLinks({ className, current }: { className: string; current: PagePath }) {
  return (
    <nav aria-label="Pages" className={className}>
      {links.map(({ href, title }) =>
        href === current ? (
          <span key={href} aria-current="page" className="nav-link">
            {title}
          </span>
        ) : (
          <a key={href} href={href} className="nav-link">
            {title}
          </a>
        ),
      )}
    </nav>
  );
}
