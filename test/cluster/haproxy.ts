import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";

/** A replica behind the reverse proxy. */
export interface Backend {
  name: string;
  port: number;
}

/** Header with the name of the replica that a request was given to, also of an error of the proxy. */
export const SERVED_BY = "x-served-by";

/**
 * The reverse proxy of the cluster: health checks by /readyz, and each request goes to the next replica. A request whose
 * connection could not be opened goes to another one; one that was sent only if it is idempotent.
 */
function haproxyConfig(port: number, backends: readonly Backend[]): string {
  const servers = backends.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}`);
  return `global
  maxconn 8192
defaults
  mode http
  timeout connect 2s
  timeout client 150s
  timeout server 150s
  timeout http-request 10s
  # Longer than clients keep a connection that they do not use.
  timeout http-keep-alive 120s
  timeout queue 5s
  # A replica that is busy is not one that is gone.
  timeout check 5s
  retries 3
  option redispatch 1
  # Each request has a connection of its own to a replica: one that is kept open may be closed as a request is sent.
  option http-server-close
frontend cluster
  bind 127.0.0.1:${port}
  http-request disable-l7-retry if !{ method GET HEAD DELETE PUT }
  http-after-response set-header ${SERVED_BY} %[srv_name]
  option forwardfor
  default_backend replicas
backend replicas
  balance roundrobin
  retry-on conn-failure empty-response
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr host cluster
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1 observe layer4 error-limit 1 on-error mark-down
${servers.join("\n")}
`;
}

/** Writes its configuration. @returns How it is started. @throws Error where it is not installed, or refuses the file. */
export function haproxyCommand(
  file: string,
  port: number,
  backends: readonly Backend[],
): [string, ...string[]] {
  const program = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/bin/haproxy"].find((at) =>
    existsSync(at),
  );
  if (!program) throw new Error("The cluster needs haproxy: install it first");
  writeFileSync(file, haproxyConfig(port, backends));
  execFileSync(program, ["-c", "-q", "-f", file]);
  return [program, "-db", "-f", file];
}
