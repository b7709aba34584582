// Health check of a container: exits with 0 when its process answers. It has no dependencies, because the image has no curl.
// A worker answers on METRICS_PORT only. Without METRICS_PORT, and with ROLE=ingest, there is nothing to check: a process
// that has ended ends its container.

const { HOST = "127.0.0.1", METRICS_PORT, PORT = "3000", ROLE = "all" } = process.env;
const port = ROLE === "worker" ? METRICS_PORT : ROLE === "ingest" ? undefined : PORT;
if (port !== undefined && /^\d+$/.test(port)) {
  const host = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST.includes(":") ? `[${HOST}]` : HOST;
  const reply = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(4000) }).catch(
    () => undefined,
  );
  process.exitCode = reply?.ok ? 0 : 1;
}
