import { type Grid, strided } from "@open-metocean/geo/grid";
import { ensembleQuantities } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { EnsemblePart } from "#server/ingest/ensemble-part.ts";
import {
  byProfile,
  bytesOfMessages,
  type EnsemblePlan,
  type FieldFeed,
  fill,
  leadOf,
  messagesAt,
  type Part,
  type PartObjects,
  type Profile,
  partsAt,
  type WantedMessage,
  wantedMessages,
} from "#server/ingest/feeds/field-feed.ts";
import { type FieldRule, modelName, type Source } from "#server/ingest/sources/source.ts";
import { describe, resolutionOf, variablesOf } from "./publisher.ts";

/** Properties of an ensemble, as the folder of its publisher states them. */
interface EnsembleDescription extends Pick<FieldFeed, "cycles" | "delay" | "mirrors"> {
  /** Name of its source in answers; those of its feeds add their plan: "gefs" has the feed "gefs-mean". */
  name: string;
  /** Name under which it answers in requests together with another one, such as the ensemble of the wind of its waves. */
  system?: string;
  /** Publisher and product, for people: "NOAA GEFS". */
  title: string;
  remark?: string;
  /** Name of the model in answers, before the resolution of the grid: "GEFS". */
  model: string;
  licence: string;
  credit: string;
  /** Members of a whole cycle, the control included. */
  size: number;
  /** Rules for the fields of a member. */
  fields: readonly FieldRule[];
  index: "wgrib2" | "ecmwf";
  /** Fields that the first step of a cycle lacks, because their windows have no length there. */
  absentAtStart?: readonly FieldName[];
  /** Length of a message whose parameter states none, bytes. */
  messageBytes?: number;
  plans: Partial<Record<EnsemblePlan, PlanDescription>>;
}

interface PlanDescription {
  /** Grid of the files. */
  grid: Grid;
  /** Every n-th row and column of the files is stored; 1 by default. */
  stride?: number;
  /** Leads of a cycle, hours. @param cycle Unix seconds. */
  leads(cycle: number, profile: Profile): readonly number[];
  /** The files of a step. */
  files(part: Part): readonly EnsembleFile[];
  /** Length of a message against that of the grid for which the parameters state it; 1 by default. */
  messageSize?: number;
}

interface EnsembleFile {
  /** Template of its name; see `fill`. */
  name: string;
  parts: readonly EnsemblePart[];
  /** Fields that are taken from it; all by default. */
  fields?: readonly FieldName[];
}

/** An ensemble, which answers only requests that name it. */
export interface EnsemblePublisher
  extends Pick<EnsembleDescription, "name" | "system" | "licence" | "credit" | "size" | "cycles" | "delay"> {
  source: Source;
  /** A feed for each plan. */
  feeds: readonly FieldFeed[];
}

/** The words in titles for the content that a plan stores. */
const planWords: Readonly<Record<EnsemblePlan, (size: number) => string>> = {
  mean: () => "mean and spread of the ensemble",
  statistics: (size) => `statistics of ${size} members`,
  members: (size) => `${size} members and their statistics`,
};

/** Derives the source and the feeds of an ensemble from its description. */
export function ensemble(description: EnsembleDescription): EnsemblePublisher {
  const { name, system, title, model, licence, credit, size, fields, cycles, delay } = description;
  const source: Source = {
    name,
    title: `${describe(title, variablesOf(fields.map(({ field }) => field)))}, members of an ensemble (GRIB2)`,
    dataset: "Forecast",
    model: modelName(model),
    rules: fields,
  };
  const plans = Object.entries(description.plans) as [EnsemblePlan, PlanDescription][];
  return {
    name,
    ...(system !== undefined && { system }),
    licence,
    credit,
    size,
    cycles,
    delay,
    source,
    feeds: plans.map(([plan, details]) => feedOf(description, source, plan, details)),
  };
}

function feedOf(
  description: EnsembleDescription,
  source: Source,
  plan: EnsemblePlan,
  { grid, stride = 1, leads, files, messageSize = 1 }: PlanDescription,
): FieldFeed {
  const { title, remark, credit, size, cycles, delay, mirrors, index, absentAtStart, messageBytes } =
    description;
  const names = fieldsOfPlan(source, plan);
  const wantedOf = (part: Part, file: EnsembleFile): WantedMessage[] => {
    const own = names.filter((name) => file.fields?.includes(name) ?? true);
    const optional = new Set(leadOf(part) === 0 ? absentAtStart : []);
    const messages = wantedMessages(source, own, optional).map((message) => sized(message, messageBytes));
    return file.parts.flatMap((one) => messages.map((message) => ofPart(message, one)));
  };
  const objectsOf = (part: Part): Extract<PartObjects, { kind: "messages" }>[] =>
    files(part).map((file) => messagesAt(fill(file.name, part), index, wantedOf(part, file)));
  const stored: Grid =
    stride === 1
      ? grid
      : { latitude: strided(grid.latitude, stride), longitude: strided(grid.longitude, stride) };
  const [, second] = partsAt(0, leads(0, "full"));
  const bytes = Math.round(messageSize * bytesOfMessages(objectsOf(second!).flatMap(({ wanted }) => wanted)));
  return {
    name: `${source.name}-${plan}`,
    title: () =>
      describe(
        `${title} ${resolutionOf(stored)}`,
        plan === "members" ? variablesOf(names) : countedVariables(names),
        [remark ?? [], planWords[plan](size)].flat().join(", "),
      ),
    credit,
    source,
    ensemble: { plan, size, stride },
    grid: byProfile(stored, stored),
    cycles,
    delay,
    mirrors,
    parts: (cycle, profile) => partsAt(cycle, leads(cycle, profile)),
    objects: (part) => ({ kind: "members", objects: objectsOf(part) }),
    partBytes: () => bytes,
  };
}

/** The fields of a source that a plan fetches: where no members are stored, those of which there are statistics. */
export function fieldsOfPlan({ rules }: Source, plan: EnsemblePlan): FieldName[] {
  const counted = new Set<FieldName>(ensembleQuantities.flatMap(({ output }) => output.of));
  return rules.map(({ field }) => field).filter((field) => plan === "members" || counted.has(field));
}

/** Variables of which there are statistics. Those of waves are of their height. */
function countedVariables(names: readonly FieldName[]): VariableName[] {
  const has = (of: readonly FieldName[]) => of.every((name) => names.includes(name));
  return ensembleQuantities.filter(({ output }) => has(output.of)).map(({ variable }) => variable);
}

function sized(message: WantedMessage, bytes: number | undefined): WantedMessage {
  return message.bytes === undefined && bytes !== undefined ? { ...message, bytes } : message;
}

function ofPart({ instead, ...message }: WantedMessage, part: EnsemblePart): WantedMessage {
  return {
    ...message,
    part,
    ...(instead && { instead: instead.map((row) => row.map((other) => ofPart(other, part))) }),
  };
}

/** Numbers of the members of an ensemble without its control. @param count How many. */
export function perturbed(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
