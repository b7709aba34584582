/** Where to go. A row here is a link in the bar above, and in the one below on a phone. */
const links = [
  { href: "/", title: "Map" },
  { href: "/tasks", title: "Tasks" },
  { href: "/docs", title: "API" },
] as const;

/** Links to the pages. @param current The one that is open. */
export function NavLinks({ className, current = "/" }: { className: string; current?: string }) {
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
