import { describe, expect, it } from "vitest";
import { readMailRequests } from "#lib/saildocs/request.ts";
import type { OpengribsRequest } from "./request.ts";
import { thinned } from "./thinned.ts";

function requestOf(line: string): OpengribsRequest {
  const [read] = readMailRequests(line).requests;
  if (read?.kind !== "file") throw new Error(JSON.stringify(read));
  return read.request;
}

const steps = ({ parts }: OpengribsRequest) => parts.map(({ step }) => step);

describe("a file that is too large", () => {
  it("has a coarser grid first, at most two degrees, and all its times", () => {
    const asked = requestOf("send gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|WIND,WAVES");
    const once = thinned(asked, asked, 4)!;
    expect(steps(once)).toEqual([1, 1]);
    expect(once.offsets).toEqual(asked.offsets);
    expect(steps(thinned(asked, once, 1.001)!)).toEqual([1.25, 1.25]);
    expect(steps(thinned(asked, asked, 1000)!)).toEqual([2, 2]);
  });

  it("then has every second, third and so on of the times that were asked for, down to one", () => {
    const asked = requestOf("send gfs:40N,50N,60W,45W|3,3|0,3..21|WIND");
    const hours = (tried: OpengribsRequest, excess: number) => thinned(asked, tried, excess)?.offsets;
    expect(hours(asked, 1.01)).toEqual([0, 6, 12, 18]);
    expect(hours({ ...asked, offsets: [0, 6, 12, 18] }, 1.01)).toEqual([0, 9, 18]);
    expect(hours(asked, 1e6)).toEqual([0]);
    expect(hours({ ...asked, offsets: [0] }, 1.01)).toBeUndefined();
  });

  it.each([2, 3, 5, 33, 34, 129, 385])("has fewer of %i times with each step, until one is left", (count) => {
    const asked = requestOf(`send gfs:40N,50N,60W,45W|0.01,0.01|0,1..${count - 1}|WIND`);
    for (const excess of [1.0001, 1.5, 40]) {
      let tried = asked;
      for (let next = thinned(asked, tried, excess); next; next = thinned(asked, tried, excess)) {
        const isCoarser = steps(next)[0]! > steps(tried)[0]!;
        expect(isCoarser || next.offsets!.length < tried.offsets!.length).toBe(true);
        tried = next;
      }
      expect([steps(tried)[0], tried.offsets]).toEqual([2, [0]]);
    }
  });
});
