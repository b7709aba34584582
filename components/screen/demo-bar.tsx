/** Says, as long as it is so, that what is shown was invented, and how to bring in what was not. */
export function DemoBar() {
  return (
    <div role="status" className="notice-bar">
      <strong>Synthetic demo data. Not a forecast. Not for navigation.</strong>{" "}
      <span className="max-sm:sr-only">
        Real data: <code>npm run metocean -- ingest …</code>
      </span>
    </div>
  );
}
