/** Where else to go. A row here is a link in the bar above, and in the one below on a phone. */
const links = [
  { href: "/", title: "Map" },
  { href: "/docs", title: "API" },
] as const;

/** Links of the map page, which is the one that is open. */
export function NavLinks({ className }: { className: string }) {
  return (
    <nav aria-label="Pages" className={className}>
      {links.map(({ href, title }) =>
        href === "/" ? (
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
