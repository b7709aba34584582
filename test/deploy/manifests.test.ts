import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readEnv, settingNames } from "#server/platform/env.ts";

const deploy = path.join(import.meta.dirname, "../../deploy");
const read = (file: string) => readFileSync(path.join(deploy, file), "utf8");

type Environment = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: any kind of object.
type Manifest = any;

/** Settings of the service, and of Amazon's client. */
const known = new Set([
  ...settingNames,
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL_S3"],
]);

/** Role that an environment selects. Throws where a value is wrong. */
function roleOf(environment: Environment): string {
  expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  return readEnv(environment).role;
}

describe("compose.yaml", () => {
  const text = read("compose.yaml");
  const compose: Manifest = parse(text, { merge: true });
  const services: [string, Manifest][] = Object.entries(compose.services);
  const ours = services.filter(([, { image }]) => image.startsWith("open-metocean:"));
  /** Substitutes variables as Compose does, from the example of its file of settings. */
  const filled = (value: string) =>
    value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string, otherwise: string) => {
      const [, given = ""] = new RegExp(`^${name}=(.*)$`, "m").exec(read("compose.env.example")) ?? [];
      return given || (kind === "-" ? otherwise : "a-secret-of-thirty-two-characters");
    });

  it("starts two web replicas, two workers and one that fetches, with valid settings", () => {
    const roles = ours
      .filter(([name]) => name !== "bucket")
      .map(([, { environment }]) => {
        const values = Object.entries<string>(environment).map(([name, value]) => [name, filled(value)]);
        return roleOf(Object.fromEntries(values));
      });
    expect(roles.sort()).toEqual(["ingest", "web", "web", "worker", "worker"]);
  });

  it("requires every secret by name, and contains none", () => {
    const secrets = ["POSTGRES_PASSWORD", "KEY_PEPPER", "S3_ACCESS_KEY", "S3_SECRET_KEY", "DOMAIN"];
    const others = ["VERSION", "SEAWEEDFS_VERSION", "FEEDS", "FEED_CONTACT", "SMTP_URL"];
    for (const [, name = "", how] of text.matchAll(/\$\{(\w+)([^}]*)\}/g)) {
      expect([...secrets, ...others]).toContain(name);
      if (secrets.includes(name)) expect([name, how]).toEqual([name, expect.stringMatching(/^:\?set /)]);
    }
    for (const name of secrets) {
      expect(text).toContain(`\${${name}`);
      expect(read("compose.env.example")).toMatch(new RegExp(`^${name}=`, "m"));
    }
  });

  it("exposes only the proxy, and gives containers only the privileges that they start with", () => {
    for (const [name, { ports = [], cap_drop }] of services) {
      expect([name, cap_drop]).toEqual([name, ["ALL"]]);
      if (name !== "proxy") for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
    expect(compose.services.proxy.ports).toContain("443:443");
    for (const [, service] of ours) {
      expect(service.read_only).toBe(true);
      // The grace period is longer than a drain.
      if (service.restart !== "no")
        expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(40);
    }
  });

  it("waits for healthy services, names only existing services and volumes, and pins its images", () => {
    for (const [name, { depends_on = {}, volumes = [], image }] of services) {
      for (const [needed, { condition }] of Object.entries<Manifest>(depends_on)) {
        const isBucket = needed === "bucket";
        expect([name, condition]).toEqual([
          name,
          isBucket ? "service_completed_successfully" : "service_healthy",
        ]);
        const { image: of, healthcheck } = compose.services[needed];
        if (!isBucket) expect(Boolean(healthcheck?.test) || of.startsWith("open-metocean:")).toBe(true);
      }
      for (const volume of volumes.filter((each: string) => !each.startsWith(".")))
        expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
      if (!image.startsWith("open-metocean:")) expect(image).toMatch(/:\S*\d/);
    }
  });
});

describe("the manifests of Kubernetes", () => {
  const { resources }: { resources: string[] } = parse(read("kubernetes/kustomization.yaml"));
  const all: Manifest[] = resources.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS()),
  );
  const ofKind = (kind: string) => all.filter((each) => each.kind === kind);
  const deployments = ofKind("Deployment");
  const secret: Manifest = parse(read("kubernetes/secret.example.yaml"));
  const matches = (selector: Environment, { labels }: { labels: Environment }) =>
    Object.entries(selector).every(([name, value]) => labels[name] === value);

  it("are all in the kustomization, except for the example of the secret", () => {
    const others = ["kustomization.yaml", "secret.example.yaml"];
    const files = readdirSync(path.join(deploy, "kubernetes")).filter((file) => !others.includes(file));
    expect(resources.toSorted()).toEqual(files.sort());
  });

  it.each(["web", "worker", "ingest"])("start %s with valid settings and without privileges", (role) => {
    const { spec } = deployments.find(({ metadata }) => metadata.name === role);
    const { spec: pod, metadata } = spec.template;
    const [container] = pod.containers;
    const own = Object.fromEntries(container.env.map((each: Environment) => [each.name, String(each.value)]));
    expect(container.envFrom).toEqual([
      { configMapRef: { name: "open-metocean" } },
      { secretRef: { name: secret.metadata.name } },
    ]);
    const [{ data }] = ofKind("ConfigMap");
    expect(roleOf({ ...data, ...secret.stringData, ...own })).toBe(role);
    expect(matches(spec.selector.matchLabels, metadata)).toBe(true);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(40);
    // The user is `node` of the image.
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
    if (role === "ingest") return;
    const ports = container.ports.map((each: Environment) => each.name);
    for (const [probe, asked] of [
      ["startupProbe", "/healthz"],
      ["livenessProbe", "/healthz"],
      ["readinessProbe", "/readyz"],
    ] as const) {
      expect(container[probe].httpGet.path).toBe(asked);
      expect(ports).toContain(container[probe].httpGet.port);
    }
  });

  it("let no pod reach the metadata service of a cloud, nor more of the cluster than DNS and the database", () => {
    const { spec } = ofKind("NetworkPolicy").find(({ metadata }) => metadata.name === "open-metocean");
    expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
    for (const { spec: deployment } of deployments)
      expect(matches(spec.podSelector.matchLabels, deployment.template.metadata)).toBe(true);
    const [names, database, internet] = spec.egress;
    expect([names.ports, database.ports].flat().map(({ port }: Manifest) => port)).toEqual([53, 53, 5432]);
    for (const { ipBlock } of internet.to)
      expect(ipBlock.except).toContain(ipBlock.cidr.includes(".") ? "169.254.0.0/16" : "fe80::/10");
  });

  it("refer to pods, ports and deployments that exist", () => {
    const pods = deployments.map(({ spec }) => spec.template.metadata);
    const selectors = [
      ...ofKind("Service").map(({ spec }) => spec.selector),
      ...ofKind("NetworkPolicy").map(({ spec }) => spec.podSelector.matchLabels),
      ...ofKind("PodDisruptionBudget").map(({ spec }) => spec.selector.matchLabels),
    ];
    for (const selector of selectors) expect(pods.some((pod) => matches(selector, pod))).toBe(true);
    // A pod that does not listen there would count as a failed replica.
    for (const { spec: service } of ofKind("Service"))
      for (const { spec } of deployments.filter((each) =>
        matches(service.selector, each.spec.template.metadata),
      )) {
        const open = spec.template.spec.containers[0].ports.flatMap((port: object) => Object.values(port));
        for (const { targetPort } of service.ports) expect(open).toContain(targetPort);
      }
    const names = deployments.map(({ metadata }) => metadata.name);
    for (const { spec } of ofKind("HorizontalPodAutoscaler"))
      expect(names).toContain(spec.scaleTargetRef.name);
    const [ingress] = ofKind("Ingress");
    const { service } = ingress.spec.rules[0].http.paths[0].backend;
    const web = ofKind("Service").find(({ metadata }) => metadata.name === service.name);
    expect(web.spec.ports).toContainEqual(expect.objectContaining({ name: service.port.name }));
  });
});
