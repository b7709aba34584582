import { randomBytes } from "node:crypto";
import { gribMessage, gribObject } from "#test/grib-objects.ts";
import { objectServer, stored } from "#test/object-server.ts";

/** A store with a step as large as one of GFS: twenty wanted messages of a megabyte among others. Writes its address. */
const server = await objectServer();
const messages = Array.from({ length: 60 }, (_, index) => ({
  bytes: gribMessage(randomBytes(1_000_000)),
  fields: [`${index % 3 === 0 ? "UGRD" : "HGT"}:${index} m above ground:6 hour fcst:`],
}));
const { bytes, index } = gribObject(messages);
server.objects.set("/data.example/store/step", stored(bytes));
server.objects.set("/data.example/store/step.idx", stored(index));
process.stdout.write(`${server.url}\n`);
