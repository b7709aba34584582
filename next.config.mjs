/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Pages and their files; the API compresses its own replies.
  compress: true,
  // The head, whose words depend on the request, comes first for everybody, and not only for readers without scripts.
  htmlLimitedBots: /.*/,
  // No page uses the image optimiser: /_next/image is 404.
  images: { unoptimized: true },
  // The API answers a trailing slash as if it were not there.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ["pg", "pino", "h5wasm"],
  // `npm test` checks the types; a start on a fresh clone need not wait for it.
  typescript: { ignoreBuildErrors: true },
};
