import cluster from "node:cluster";
import { checkedEnv } from "./checked-env.ts";

// A single process serves by itself. With several, the first process supervises the others.
if (cluster.isPrimary && checkedEnv().processes > 1) await import("./supervisor.ts");
else await import("./serve.ts");
