import { Fragment, useEffect, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FileDrop, readInWorker } from "#components/ui/file-drop.tsx";
import { emptyPlan, keptVessel, readPlan } from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import type { Plan } from "#lib/contract/passage.ts";
import { formatNumber } from "#lib/messages/number.ts";
import { type ListProblem, type ListProblems, problemsText } from "#lib/points/list-problem.ts";
import { usePassageWords } from "./passage-format.tsx";
import type { ImportedList, ImportReply, ImportRequest } from "./route-import.ts";

interface RouteFileState {
  /** Name of the file; empty for pasted text. */
  name: string;
  isReading: boolean;
  lists: readonly ImportedList[];
  problems?: ListProblems;
}

const nothing: RouteFileState = { name: "", isReading: false, lists: [] };

/** Reads files and pasted texts in a worker. New input replaces input that is still being read. */
function useRouteImport(onRead: (name: string, lists: readonly ImportedList[]) => void) {
  const [state, setState] = useState(nothing);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const read = async (name: string, content: () => Promise<ArrayBuffer | string>) => {
    stop.current?.();
    const controller = new AbortController();
    stop.current = () => controller.abort();
    setState({ ...nothing, name, isReading: true });
    const { languages } = navigator;
    const reply: ImportReply = await content().then(
      (given) => replyOfWorker({ content: given, languages: [...languages] }, controller.signal),
      // The file was moved or changed after it was selected.
      () => ({ problems: only({ code: "movedFile", name }) }),
    );
    if (controller.signal.aborted) return;
    if ("problems" in reply) setState({ ...nothing, name, problems: reply.problems });
    else {
      setState({ ...nothing, name, lists: reply.lists });
      onRead(name, reply.lists);
    }
  };
  return {
    state,
    readFile: (file: File) => read(file.name, () => file.arrayBuffer()),
    readPasted: (text: string) => read("", async () => text),
    /** Stops reading and discards the result. */
    clear() {
      stop.current?.();
      setState(nothing);
    },
  };
}

function only(problem: ListProblem): ListProblems {
  return { shown: [problem], more: 0 };
}

function replyOfWorker(request: ImportRequest, signal: AbortSignal): Promise<ImportReply> {
  const worker = new Worker(new URL("./route-import.worker.ts", import.meta.url), { type: "module" });
  return readInWorker<ImportReply>(worker, request, signal, (code) => ({ problems: only({ code }) }));
}

interface Props {
  isOpen: boolean;
  /** @param message States what was imported. */
  onImported(plan: Plan, message: string): void;
}

const accepted =
  ".gpx,.rtz,.rtzp,.kml,.geojson,.json,.csv,.tsv,.txt,.xlsx,application/gpx+xml,application/geo+json,application/vnd.google-earth.kml+xml,text/csv";

/**
 * Imports a route from a selected or dropped file, or from pasted text. If there are several lists, the user
 * chooses one.
 */
export function RouteImport({ isOpen, onImported }: Props) {
  const words = useWords("lists");
  const { file: text } = usePassageWords().route;
  const [pasted, setPasted] = useState("");
  const id = useId();
  const take = (name: string, list: ImportedList) => {
    const vessel = readPlan().plan.vessel ?? keptVessel();
    const { departure, knots, waypoints } = list;
    const plan: Plan = {
      ...emptyPlan,
      name: (list.name || name.replace(/\.[^.]*$/, "")).slice(0, 80),
      route: waypoints,
      vessel: knots && (vessel?.kind ?? "fixed") === "fixed" ? { kind: "fixed", speed_kt: knots } : vessel,
      ...(departure && { departure }),
    };
    const sentences = [
      text.read({ count: waypoints.length }),
      list.from !== undefined &&
        list.within !== undefined &&
        text.thinned({ from: list.from, within: formatNumber(list.within, 2, words.language) }),
      list.unread && text.refused({ refused: list.unread.shown.length + list.unread.more }),
    ];
    onImported(plan, sentences.filter(Boolean).join(words.ui.joins.sentences));
    setPasted("");
    clear();
  };
  const { state, readFile, readPasted, clear } = useRouteImport((name, [first, ...more]) => {
    // A point that cannot be read may be the one that leads around a danger, so the user has to decide.
    if (first && more.length === 0 && !first.unread) take(name, first);
  });
  return (
    <details className="route-part" open={isOpen}>
      <summary>{text.title}</summary>
      <FileDrop label={text.choose} accept={accepted} onFile={(file) => void readFile(file)}>
        <label className="form-field">
          {text.paste}
          <textarea
            className="field min-h-20 py-2 font-mono"
            placeholder={"48 23N 004 30W\n47 00N 006 00W"}
            value={pasted}
            onChange={({ target }) => {
              setPasted(target.value);
              if (state.problems) clear();
            }}
          />
        </label>
        <Button disabled={pasted.trim() === ""} onClick={() => void readPasted(pasted)}>
          {text.usePasted}
        </Button>
      </FileDrop>
      <p role="status" className="text-sm">
        {state.isReading ? text.reading : ""}
      </p>
      <p id={id} role="alert" className="whitespace-pre-line text-sm">
        {state.problems ? problemsText(state.problems, words.lists) : ""}
      </p>
      {state.lists.length > 0 ? (
        <fieldset className="space-y-1">
          {state.lists.length > 1 ? <legend className="mb-1 text-sm">{text.which}</legend> : null}
          {state.lists.map((list, index) => {
            const number = state.lists.slice(0, index + 1).filter(({ kind }) => kind === list.kind).length;
            const title = list.name
              ? words.lists.named({ kind: list.kind, name: list.name })
              : words.lists.title({ kind: list.kind, number });
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lists of a file have no other identity
              <Fragment key={index}>
                {list.unread ? (
                  <p role="alert" className="whitespace-pre-line text-sm">
                    {[text.unread, problemsText(list.unread, words.lists)].join("\n")}
                  </p>
                ) : null}
                <Button className="w-full px-3 py-1 text-left" onClick={() => take(state.name, list)}>
                  {text.take({ title, count: list.waypoints.length })}
                </Button>
              </Fragment>
            );
          })}
        </fieldset>
      ) : null}
    </details>
  );
}
