import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { derivedState, sharedState } from "./shared-state.ts";
import { useView } from "./view-context.tsx";

it("a change to what is already so notifies nobody, and another one everybody", () => {
  const state = sharedState({ time: 1, playing: false });
  const listener = vi.fn();
  const end = state.subscribe(listener);
  state.change({ time: 1 });
  state.change({ time: Number.NaN });
  state.change({ time: Number.NaN, playing: false });
  expect(listener).toHaveBeenCalledTimes(1);
  end();
  state.change({ playing: true });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(state.current()).toEqual({ time: Number.NaN, playing: true });
});

it("derived state follows its source and is computed once for each state of it", () => {
  const source = sharedState({ time: 1 });
  const compute = vi.fn(({ time }: { time: number }) => ({ later: time + 1 }));
  const derived = derivedState(source, compute);
  expect([derived.current(), derived.current()]).toEqual([{ later: 2 }, { later: 2 }]);
  source.change({ time: 5 });
  expect(derived.current()).toBe(derived.current());
  expect(derived.current()).toEqual({ later: 6 });
  expect(compute).toHaveBeenCalledTimes(2);
});

it("the server renders with the initial state, also after the state of a browser has changed", () => {
  const state = sharedState({ time: 1 });
  const Shown = () => <p>{state.use("time").time}</p>;
  state.change({ time: 2 });
  expect(renderToStaticMarkup(<Shown />)).toBe("<p>1</p>");
});

it("each request to the server has stores of its own", () => {
  const Shown = () => <p>{useView("l").l}</p>;
  const pages = ["?l=wave", "?l=pressure", ""].map((search) => renderInPage(<Shown />, { search }));
  expect(pages).toEqual(["<p>wave</p>", "<p>pressure</p>", "<p>wind</p>"]);
});
