import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { environment, hasProgram } from "./programs.ts";

const proxy = path.join(import.meta.dirname, "../../deploy/proxy");
const folder = temporaryFolders();

function certificate(): { certificate: string; key: string; both: string } {
  const at = folder();
  const [key, made, both] = ["key.pem", "certificate.pem", "both.pem"].map((name) => path.join(at, name));
  const subject = ["-days", "2", "-subj", "/CN=weather.example.org"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key!, "-out", made!, ...subject],
    {
      stdio: "pipe",
    },
  );
  writeFileSync(both!, readFileSync(made!, "utf8") + readFileSync(key!, "utf8"));
  return { certificate: made!, key: key!, both: both! };
}

const hasTls = hasProgram("openssl");

describe.skipIf(!hasProgram("haproxy") || !hasTls)("haproxy.cfg (needs haproxy and openssl)", () => {
  it("is understood by HAProxy", () => {
    const env = { ...environment(), TLS_CERTIFICATE: certificate().both, WEB_1: "a:3000", WEB_2: "b:3000" };
    execFileSync("haproxy", ["-c", "-f", path.join(proxy, "haproxy.cfg")], { env, stdio: "pipe" });
  });
});

describe.skipIf(!hasProgram("caddy"))("Caddyfile (needs caddy)", () => {
  it("is understood by Caddy, and sends events as they come", () => {
    const env = { ...environment(), DOMAIN: "weather.example.org", UPSTREAMS: "web-1:3000 web-2:3000" };
    const file = path.join(proxy, "Caddyfile");
    const adapted = execFileSync("caddy", ["adapt", "--config", file, "--adapter", "caddyfile"], { env });
    expect(adapted.toString()).toContain('"flush_interval":-1');
    expect(adapted.toString()).toContain(`"max_size":${32 * 2 ** 20}`);
  });
});

describe.skipIf(!hasProgram("nginx") || !hasTls)("nginx.conf (needs nginx and openssl)", () => {
  it("is understood by nginx", () => {
    const at = folder();
    for (const name of ["cache", "logs", "client_temp"]) mkdirSync(path.join(at, name));
    const { certificate: made, key } = certificate();
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${at}/client_temp/${name};`)
      .join(" ");
    const text = readFileSync(path.join(proxy, "nginx.conf"), "utf8")
      .replace("http {", `http { ${temporary}`)
      .replace("/var/cache/nginx", `${at}/cache`)
      .replace("/etc/nginx/tls/certificate.pem", made)
      .replace("/etc/nginx/tls/key.pem", key);
    const file = path.join(at, "nginx.conf");
    writeFileSync(file, text);
    const args = ["-t", "-e", `${at}/logs/error.log`, "-g", `pid ${at}/pid;`, "-c", file];
    execFileSync("nginx", args, { env: environment(), stdio: "pipe" });
  });
});

it("the proxies log no paths, send HSTS with every reply, and leave metrics to Prometheus", () => {
  const text = (name: string) => readFileSync(path.join(proxy, name), "utf8");
  expect(text("haproxy.cfg")).not.toMatch(/option httplog|%HU|%HP|%HQ|%r\b/);
  expect(text("nginx.conf")).toMatch(/^ {4}access_log off;$/m);
  // Caddy logs requests only where it is told to.
  expect(text("Caddyfile")).not.toMatch(/^\s*log\b/m);
  for (const name of ["haproxy.cfg", "nginx.conf", "Caddyfile"]) expect(text(name)).toContain("metrics");
  // A location of nginx with a header of its own inherits none of the server's.
  for (const [block] of text("nginx.conf").matchAll(/\{[^{}]*add_header[^{}]*\}/g))
    expect(block).toContain("Strict-Transport-Security");
});
