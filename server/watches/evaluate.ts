import { createHash } from "node:crypto";
import { BEST } from "#lib/catalog/source-order.ts";
import type { WatchQuestion, WatchRequest } from "#lib/contract/watch.ts";
import { loadPage, loadPart } from "#lib/messages/generated/load.ts";
import { parseLanguage } from "#lib/messages/language.ts";
import { shortModelName } from "#lib/model-name.ts";
import { type Facts, foundOf, type MessageWords, messageOf, type RunFacts } from "#lib/watches/compose.ts";
import { arrivedFor, type Edition, editionOf, newestOf, newIn, type World } from "#lib/watches/edition.ts";
import {
  type Judged,
  judgeHours,
  judgeWindow,
  mayBeTrue,
  type NearStorm,
  type Sample,
} from "#lib/watches/judge.ts";
import { judgedByMembers, type MemberAnswer } from "#lib/watches/members.ts";
import type { AlertKind } from "#lib/watches/message.ts";
import { agreedState, joinedJudgement, type ModelAnswer, modelAnswer } from "#lib/watches/models.ts";
import { judgeTide, type TideBeyond, type TideQuestion, tideEdition, tidePause } from "#lib/watches/tide.ts";
import {
  type ExtremeQuestion,
  extremeEdition,
  extremePause,
  judgeExtreme,
  nextExtreme,
  type TideExtreme,
  type TideExtremes,
} from "#lib/watches/tide-extreme.ts";
import type { WatchModel } from "#prisma/generated/models.ts";
import { type Evaluated, foundIn, requestOf } from "./store.ts";

export type ValueQuestion = Exclude<WatchQuestion, { kind: "new_run" | "tide" | "tide_extreme" }>;

/** Data for a question; see `judgeHours`. */
export interface Reading {
  samples: Sample[];
  /** See `judgeHours`. */
  storm: NearStorm | null | undefined;
  /** The run that decides a judgement. */
  runOf(judged: Judged): RunFacts | undefined;
  /** The newest run for each variable of the question. */
  runs: readonly RunFacts[];
}

/** The published data at one time. */
export interface KnownWorld extends World {
  /** Text that identifies all data that watches may depend on. */
  text: string;
  /** Weather clock, Unix seconds. */
  now: number;
  synthetic: boolean;
  /** Models of the newest runs, by source. */
  models: ReadonlyMap<string, string>;
  /** @param model Name of the model that answers alone; undefined for the best source of each variable. */
  read(question: ValueQuestion, signal: AbortSignal, model?: string): Promise<Reading>;
  /** The same from one member of an ensemble alone. @param member CF realization. */
  readMember(
    question: ValueQuestion,
    ensemble: string,
    member: number,
    signal: AbortSignal,
  ): Promise<Reading>;
  /** @returns undefined where the tide database lacks the station or the datum. */
  readTide(question: TideQuestion): Promise<TideBeyond | undefined>;
  /** Reads the station's high and low waters likewise. */
  readExtremes(question: ExtremeQuestion): Promise<TideExtremes | undefined>;
}

/** @returns undefined where nothing is new for the watch. */
export async function evaluate(
  watch: WatchModel,
  world: KnownWorld,
  signal: AbortSignal,
): Promise<Evaluated | undefined> {
  const request = requestOf(watch);
  if (request.question.kind === "tide") return evaluateTide(watch, request.question, world);
  if (request.question.kind === "tide_extreme") return evaluateExtremes(watch, request.question, world);
  const before = (watch.edition ?? undefined) as Edition | undefined;
  const edition = editionOf(request.question, world);
  const news = before && newIn(edition, before);
  if (news && news.length === 0) return undefined;
  const newest = before ? newestOf(edition, before) : edition;
  const facts = await factsOf(request.question, world, watch, news, signal);
  const { firing, kind } = turned(watch, request, facts, before !== undefined);
  const words = await wordsOf(watch.language);
  const watched = { id: watch.id, name: watch.name, question: request.question };
  return {
    firing,
    edition: newest,
    world: world.text,
    found: foundOf(request.question, facts, words),
    alert: kind && {
      kind,
      edition: hashOf(request.question, newest),
      message: messageOf(watched, kind, facts, words),
    },
  };
}

/** Evaluates a watch of the tide. It depends on the clock, so it states when it has to be evaluated again. */
async function evaluateTide(
  { id, name, question: _, ...watch }: WatchModel,
  question: TideQuestion,
  world: KnownWorld,
): Promise<Evaluated> {
  const before = (watch.edition ?? {}) as Edition;
  const facts = await tideFacts(question, world);
  const { now } = world;
  const { edition, isNew } = tideEdition(question, facts.tide, before, now);
  const words = await wordsOf(watch.language);
  const kind = facts.tide ? "fired" : "unavailable";
  return {
    firing: facts.judged.state === "true",
    edition,
    lookAgainS: tidePause(question, facts.tide, now),
    found: foundOf(question, facts, words),
    alert: isNew
      ? {
          kind,
          edition: hashOf(question, edition),
          message: messageOf({ id, name, question }, kind, facts, words),
        }
      : undefined,
  };
}

async function tideFacts(question: TideQuestion, { readTide, now }: KnownWorld): Promise<Facts> {
  const tide = await readTide(question);
  // Tides are real even if the demo answers.
  return {
    judged: tide ? judgeTide(question, tide, now) : { ...nothing, knownShare: 0 },
    run: undefined,
    now,
    synthetic: false,
    tide,
  };
}

/** Evaluates high and low waters likewise. Each of them has its own alert. */
async function evaluateExtremes(
  { id, name, ...watch }: WatchModel,
  question: ExtremeQuestion,
  world: KnownWorld,
): Promise<Evaluated> {
  const before = (watch.edition ?? {}) as Edition;
  const { now } = world;
  const reading = await world.readExtremes(question);
  const { edition, told, isGone } = extremeEdition(question, reading, before, now);
  const next = reading && nextExtreme(question, reading, now);
  const found = extremeFacts(question, reading, next, now);
  const words = await wordsOf(watch.language);
  const alertOf = (kind: AlertKind & ("fired" | "unavailable"), facts: Facts, of: Edition) => ({
    kind,
    edition: hashOf(question, of),
    message: messageOf({ id, name, question }, kind, facts, words),
  });
  return {
    firing: found.judged.state === "true",
    edition,
    lookAgainS: extremePause(question, reading, edition, now),
    found: foundOf(question, found, words),
    alert: told
      ? alertOf("fired", extremeFacts(question, reading, told, now), {
          told: { at: told.time, of: told.type },
        })
      : isGone
        ? alertOf("unavailable", found, edition)
        : undefined,
  };
}

function extremeFacts(
  question: ExtremeQuestion,
  reading: TideExtremes | undefined,
  extreme: TideExtreme | undefined,
  now: number,
): Facts {
  return {
    judged: reading ? judgeExtreme(question, reading, extreme, now) : { ...nothing, knownShare: 0 },
    run: undefined,
    now,
    synthetic: false,
    extremes: reading && { ...reading, told: extreme },
  };
}

/** The message of a test: the watch's present state. */
export async function testMessage(watch: WatchModel, world: KnownWorld, signal: AbortSignal) {
  const { question } = requestOf(watch);
  const facts = await factsOf(question, world, watch, undefined, signal);
  return messageOf(
    { id: watch.id, name: watch.name, question },
    "test",
    facts,
    await wordsOf(watch.language),
  );
}

/** The new state of a watch, and the kind of alert that it causes. Unknown data changes nothing. */
function turned(
  { firing }: Pick<WatchModel, "firing">,
  { question }: Pick<WatchRequest, "question">,
  { judged: { state } }: Facts,
  isLater: boolean,
): { firing: boolean; kind: "fired" | "cleared" | "new_run" | undefined } {
  // The run that exists when the watch is created is not new.
  if (question.kind === "new_run") return { firing: false, kind: isLater ? "new_run" : undefined };
  if (state === "unknown" || (state === "true") === firing) return { firing, kind: undefined };
  return state === "true" ? { firing: true, kind: "fired" } : { firing: false, kind: "cleared" };
}

async function factsOf(
  question: WatchQuestion,
  world: KnownWorld,
  watch: Pick<WatchModel, "firing" | "found">,
  news: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Facts> {
  const { now, synthetic } = world;
  const { firing } = watch;
  if (question.kind === "tide") return tideFacts(question, world);
  if (question.kind === "tide_extreme") {
    const reading = await world.readExtremes(question);
    return extremeFacts(question, reading, reading && nextExtreme(question, reading, now), now);
  }
  if (question.kind === "new_run")
    return { judged: nothing, run: newestRun(question.source, world, news), now, synthetic };
  if (question.ensemble !== undefined)
    return factsByMember(question, question.ensemble, world, watch, signal);
  if (question.models) return factsByModel(question, question.models, world, watch, signal);
  const reading = await world.read(question, signal);
  const judged = judgedOf(question, reading, firing);
  return { judged, run: reading.runOf(judged), now, synthetic };
}

function judgedOf(question: ValueQuestion, { samples, storm }: Reading, firing: boolean): Judged {
  return question.kind === "window"
    ? judgeWindow(question.conditions, question.lasting_hours, samples, firing)
    : judgeHours(question, samples, storm, firing);
}

/** Asks each model alone, and joins their answers. */
async function factsByModel(
  question: ValueQuestion,
  names: readonly string[],
  world: KnownWorld,
  watch: Pick<WatchModel, "firing" | "found">,
  signal: AbortSignal,
): Promise<Facts> {
  const { now, synthetic } = world;
  const { firing } = watch;
  const before = foundIn(watch)?.models ?? [];
  const answers: ModelAnswer[] = [];
  for (const model of new Set(names)) {
    const reading = await world.read(question, signal, model);
    const last = before.find((one) => one.model === model)?.reached_at ?? undefined;
    // The margin is for a model that reached the threshold. One that did not would reach it with less than its limit.
    const held = firing && last !== undefined;
    const title = titleOf(model, world, reading.runs);
    answers.push(saidBy(question, reading, model, held, now, { title, before: last }));
  }
  const state = agreedState(question.agree ?? "any", answers, firing, now);
  const { judged, run } = joinedJudgement(state, answers);
  return { judged, run, now, synthetic, models: answers };
}

/** Asks each member of an ensemble alone, and counts their answers. */
async function factsByMember(
  question: ValueQuestion,
  name: string,
  world: KnownWorld,
  watch: Pick<WatchModel, "firing" | "found">,
  signal: AbortSignal,
): Promise<Facts> {
  const { now, synthetic, ensembles } = world;
  const { firing } = watch;
  const percent = question.percent!;
  const known = ensembles.get(name);
  const before = foundIn(watch)?.ensemble;
  const answers: MemberAnswer[] = [];
  for (const member of known?.members ?? []) {
    const reading = await world.readMember(question, name, member, signal);
    const said = (held: boolean) => saidBy(question, reading, String(member), held, now);
    const strict = said(false);
    answers.push({ strict, held: firing ? said(true) : strict });
  }
  const { judged, answer, counts } = judgedByMembers(answers, percent, firing);
  const newest = known && arrivedFor(question, known);
  const isSameRun = before !== undefined && before.run_at === newest?.at;
  return {
    judged,
    run: answer?.run,
    now,
    synthetic,
    members: {
      ensemble: name,
      title: known?.title ?? name,
      percent,
      ...counts,
      runAt: newest?.at,
      arrived: newest?.arrived ?? 0,
      size: known?.size ?? 0,
      arrivedBefore: isSameRun && before.arrived < newest.arrived ? before.arrived : undefined,
    },
  };
}

/** The answer of a model or a member. @param held It is judged with the margin of a watch that has fired. */
function saidBy(
  question: ValueQuestion,
  reading: Reading,
  model: string,
  held: boolean,
  now: number,
  { title = model, before }: { title?: string; before?: number | undefined } = {},
): ModelAnswer {
  const { conditions, ...asked } = question;
  const { samples, storm, runs } = reading;
  const join = "join" in asked ? asked.join : "all";
  const lasting = asked.kind === "window" ? asked.lasting_hours : undefined;
  const judged = judgedOf(question, reading, held);
  const answer = {
    model,
    title,
    judged,
    mayBeTrue: mayBeTrue({ conditions, join }, lasting, samples, storm, held),
    samples,
    quantities: conditions.map(({ quantity }) => quantity),
    runs,
    run: reading.runOf(judged),
    now,
  };
  return modelAnswer(answer, before);
}

/** Name of a model for people. `best` keeps its own, because another model of the question may have the same source. */
function titleOf(model: string, { models }: KnownWorld, [newest]: readonly RunFacts[]): string {
  const title = models.get(model) ?? newest?.model;
  return model === BEST || title === undefined ? model : shortModelName(title);
}

const nothing: Judged = { state: "unknown", deciding: undefined, windows: [], knownShare: 1 };

/** @param news Names of the parts of an edition that are new; undefined for any. */
function newestRun(
  source: string | undefined,
  { sources, models }: KnownWorld,
  news: readonly string[] | undefined,
): RunFacts | undefined {
  const candidates = [...sources].filter(
    ([name]) => (source === undefined || name === source) && (!news || news.includes(`run ${name}`)),
  );
  const newest = candidates.sort(([, one], [, other]) => other.at - one.at)[0];
  return newest && { model: models.get(newest[0]) ?? newest[0], at: newest[1].at };
}

/**
 * Hash of a question and an edition, so that the same question causes one alert per edition, however often the watch is
 * changed.
 */
function hashOf(question: WatchQuestion, edition: Edition): string {
  return createHash("sha256")
    .update(JSON.stringify([question, edition]))
    .digest("hex");
}

async function wordsOf(code: string): Promise<MessageWords> {
  const language = parseLanguage(code) ?? "en";
  const [words, watches] = await Promise.all([loadPage[language](), loadPart.watches[language]()]);
  return { words, watches };
}
