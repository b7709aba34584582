import cluster from "node:cluster";
import { checkedEnv } from "./checked-env.ts";

// One process serves by itself; of several, the first supervises.
if (cluster.isPrimary && checkedEnv().processes > 1) await import("./supervisor.ts");
else await import("./serve.ts");
