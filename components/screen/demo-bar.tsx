/** Says that the data shown is invented, and how to bring in real data. */
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
