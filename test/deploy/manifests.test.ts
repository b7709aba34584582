import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readEnv, settingNames } from "#server/platform/env.ts";

const deploy = path.join(import.meta.dirname, "../../deploy");
const read = (file: string) => readFileSync(path.join(deploy, file), "utf8");

/** Settings that are not ours: those of Amazon's client. */
const known = new Set([
  ...settingNames,
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL_S3"],
]);

type Environment = Record<string, string>;

/** What the service says of an environment; it throws where a value is wrong. */
function roleOf(environment: Environment): string {
  expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  return readEnv(environment).role;
}

describe("compose.yaml", () => {
  interface Service {
    image: string;
    command?: string[];
    environment?: Environment;
    ports?: string[];
    volumes?: string[];
    depends_on?: Record<string, { condition: string }>;
    healthcheck?: { disable?: boolean; test?: string[] };
    read_only?: boolean;
    cap_drop?: string[];
    restart: string;
    stop_grace_period?: string;
  }
  const compose: { services: Record<string, Service>; volumes: object } = parse(read("compose.yaml"), {
    merge: true,
  });
  const services = Object.entries(compose.services);
  const ours = services.filter(([, { image }]) => image.startsWith("open-metocean:"));
  /** As Compose fills in, from the example of its file of settings. */
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string, otherwise: string) => {
      const [, given = ""] = new RegExp(`^${name}=(.*)$`, "m").exec(read("compose.env.example")) ?? [];
      return given || (kind === "-" ? otherwise : "a-secret-of-thirty-two-characters");
    });

  it("starts two web replicas, two workers and one that fetches, with settings that the service reads", () => {
    const roles = ours
      .filter(([name]) => name !== "bucket")
      .map(([, { environment = {} }]) =>
        roleOf(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))),
      );
    expect(roles.sort()).toEqual(["ingest", "web", "web", "worker", "worker"]);
  });

  it("asks for every secret by name, and has none in it", () => {
    const text = read("compose.yaml");
    const [, ...secrets] = [
      "",
      "POSTGRES_PASSWORD",
      "KEY_PEPPER",
      "S3_ACCESS_KEY",
      "S3_SECRET_KEY",
      "DOMAIN",
    ];
    for (const name of secrets) {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, "g"))];
      expect([name, uses.length > 0]).toEqual([name, true]);
      for (const [, how] of uses) expect(how).toMatch(/^:\?set /);
      expect(read("compose.env.example")).toMatch(new RegExp(`^${name}=`, "m"));
    }
    const variables = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const documented = [...secrets, "VERSION", "SEAWEEDFS_VERSION", "FEEDS", "FEED_CONTACT", "SMTP_URL"];
    expect(variables.filter((name) => !documented.includes(name!))).toEqual([]);
  });

  it("opens ports to this machine alone, but for those of the proxy", () => {
    for (const [name, { ports = [] }] of services)
      if (name !== "proxy") for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.services.proxy?.ports).toContain("443:443");
  });

  it("runs the service without rights over its own files, and stops it in more than a drain takes", () => {
    for (const [, service] of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      if (service.restart !== "no")
        expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThan(40);
    }
  });

  it("drops every right of every container, and gives back to those of others what they start with", () => {
    for (const [name, { cap_drop }] of services) expect([name, cap_drop]).toEqual([name, ["ALL"]]);
    expect(compose.services.proxy).toMatchObject({ cap_add: ["NET_BIND_SERVICE"] });
  });

  it("waits for what is healthy, names only services and volumes that exist, and no moving image", () => {
    for (const [name, { depends_on = {}, volumes = [], image, healthcheck }] of services) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect([name, Object.keys(compose.services)]).toEqual([name, expect.arrayContaining([needed])]);
        expect(condition).toBe(needed === "bucket" ? "service_completed_successfully" : "service_healthy");
        const { image: of, healthcheck: check } = compose.services[needed]!;
        if (needed !== "bucket") expect(Boolean(check?.test) || of.startsWith("open-metocean:")).toBe(true);
      }
      for (const volume of volumes.filter((each) => !each.startsWith(".")))
        expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
      if (!image.startsWith("open-metocean:")) expect(image).toMatch(/:\S*\d/);
      expect(healthcheck?.test ?? ["CMD"]).toEqual(
        expect.arrayContaining([expect.stringMatching(/^CMD(-SHELL)?$/)]),
      );
    }
  });
});

describe("the manifests of Kubernetes", () => {
  // biome-ignore lint/suspicious/noExplicitAny: any kind of object.
  type Manifest = any;
  const files = readdirSync(path.join(deploy, "kubernetes"));
  const kustomization: Manifest = parse(read("kubernetes/kustomization.yaml"));
  const all: Manifest[] = kustomization.resources.flatMap((file: string) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    }),
  );
  const ofKind = (kind: string) => all.filter((each) => each.kind === kind);
  const secret: Manifest = parse(read("kubernetes/secret.example.yaml"));
  const matches = (selector: Environment, { labels }: { labels: Environment }) =>
    Object.entries(selector).every(([name, value]) => labels[name] === value);

  it("are all in the kustomization, but for the example of the secret", () => {
    const others = ["kustomization.yaml", "secret.example.yaml"];
    expect(kustomization.resources.toSorted()).toEqual(files.filter((file) => !others.includes(file)).sort());
    expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toHaveLength(
      new Set(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size,
    );
  });

  it.each(["web", "worker", "ingest"])("start %s with settings that it reads, and without rights", (role) => {
    const [{ spec }] = ofKind("Deployment").filter(({ metadata }) => metadata.name === role);
    const { spec: pod } = spec.template;
    const [container] = pod.containers;
    const own = Object.fromEntries(container.env.map((each: Environment) => [each.name, String(each.value)]));
    expect(container.envFrom).toEqual([
      { configMapRef: { name: "open-metocean" } },
      { secretRef: { name: secret.metadata.name } },
    ]);
    const [{ data }] = ofKind("ConfigMap");
    expect(roleOf({ ...data, ...secret.stringData, ...own })).toBe(role);
    expect(matches(spec.selector.matchLabels, spec.template.metadata)).toBe(true);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(40);
    // The user `node` of the image.
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
    const mounts = container.volumeMounts.map((each: Environment) => each.name);
    expect(pod.volumes.map((each: Environment) => each.name).sort()).toEqual(mounts.sort());
    const ports = (container.ports ?? []).map((each: Environment) => each.name);
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      if (role === "ingest") continue;
      const { path: asked, port } = container[probe].httpGet;
      expect(ports).toContain(port);
      expect(asked).toBe(probe === "readinessProbe" ? "/readyz" : "/healthz");
    }
  });

  it("let no pod reach the metadata of a cloud, or more of the cluster than names and the database", () => {
    const [{ spec }] = ofKind("NetworkPolicy").filter(({ metadata }) => metadata.name === "open-metocean");
    expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(
      ofKind("Deployment").every(({ spec: { template } }) =>
        matches(spec.podSelector.matchLabels, template.metadata),
      ),
    ).toBe(true);
    const [names, database, internet] = spec.egress;
    expect([names.ports, database.ports].flat().map(({ port }: Manifest) => port)).toEqual([53, 53, 5432]);
    for (const { ipBlock } of internet.to)
      expect(ipBlock.except).toEqual(
        expect.arrayContaining([ipBlock.cidr.includes(".") ? "169.254.0.0/16" : "fe80::/10"]),
      );
  });

  it("point to what exists: services and policies to pods, budgets and scalers to deployments", () => {
    const pods = ofKind("Deployment").map(({ spec }) => spec.template.metadata);
    const selectors = [
      ...ofKind("Service").map(({ spec }) => spec.selector),
      ...ofKind("NetworkPolicy").map(({ spec }) => spec.podSelector.matchLabels),
      ...ofKind("PodDisruptionBudget").map(({ spec }) => spec.selector.matchLabels),
    ];
    for (const selector of selectors) expect(pods.some((pod) => matches(selector, pod))).toBe(true);
    // A pod that does not listen there would count as a replica that is down.
    for (const { spec: service } of ofKind("Service"))
      for (const { metadata, spec } of ofKind("Deployment")) {
        const { metadata: pod, spec: content } = spec.template;
        if (!matches(service.selector, pod)) continue;
        const open = (content.containers[0].ports ?? []).flatMap((port: Manifest) => Object.values(port));
        for (const { targetPort } of service.ports)
          expect([metadata.name, open]).toEqual([metadata.name, expect.arrayContaining([targetPort])]);
      }
    const names = ofKind("Deployment").map(({ metadata }) => metadata.name);
    for (const { spec } of ofKind("HorizontalPodAutoscaler")) {
      expect(names).toContain(spec.scaleTargetRef.name);
      expect(spec.minReplicas).toBeGreaterThan(1);
    }
    const [ingress] = ofKind("Ingress");
    const { service } = ingress.spec.rules[0].http.paths[0].backend;
    const [web] = ofKind("Service").filter(({ metadata }) => metadata.name === service.name);
    expect(web.spec.ports).toContainEqual(expect.objectContaining({ name: service.port.name }));
  });
});
