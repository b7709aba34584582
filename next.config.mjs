/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Pages; their files are compressed when they are built, and the API compresses its own replies.
  compress: true,
  // The titles depend on the language of the request. They are made before the page is sent, so that they are in its head.
  htmlLimitedBots: /.*/,
  // Browsers ask for the icon again with each address that the map writes, as for each step in time.
  headers: async () => [
    { source: "/icon.svg", headers: [{ key: "cache-control", value: "private, max-age=86400" }] },
  ],
  // No page uses the image optimiser: /_next/image is 404.
  images: { unoptimized: true },
  // The API answers a trailing slash as if it were not there.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ["pg", "pino", "h5wasm"],
  // A build checks what the pages load; `npm test` checks all files, which takes eight times as long.
  typescript: { tsconfigPath: "tsconfig.pages.json" },
};
