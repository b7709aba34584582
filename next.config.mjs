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
  // `npm test` checks the types. A build checks them once more in 30 s of processor time, even of the files that the pages
  // load alone, which a first start on a fresh clone would wait for.
  typescript: { ignoreBuildErrors: true },
};
