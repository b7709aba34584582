import type { WorkabilityResult } from "#components/api-client/workability-service.ts";
import { formatLength, formatShortTime } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { numberIn } from "#lib/units.ts";
import type { MemberCounts } from "#lib/workability/analyse.ts";
import { hasYears, isShort, unitOf, windowsAMonth } from "./workability-draft.ts";
import { percentText, totalOf } from "./workability-verdict.ts";

/** Months with their shares, windows and waits; for a short time its windows. */
export function WorkabilityTable({ result: { results, meta } }: { result: WorkabilityResult }) {
  const words = useWords("workability");
  const zone = useZone();
  const { table } = words.workability;
  const membersText = (members: MemberCounts) =>
    table.ofMembers({ count: members.keep, total: totalOf(members) });
  const hours = (value: number | null) => (value === null ? "—" : formatLength(value * HOUR_S, words));
  if (isShort(results[0]!))
    return meta.windows.length === 0 ? null : (
      <div className="workability-table windows">
        <table>
          <thead>
            <tr>
              <th scope="col">{table.from}</th>
              <th scope="col">{table.to}</th>
              <th scope="col">{table.lasting}</th>
              {meta.ensemble ? <th scope="col">{table.members}</th> : null}
            </tr>
          </thead>
          <tbody>
            {meta.windows.map((window) => (
              <tr key={window.from}>
                <th scope="row">{formatShortTime(parseInstant(window.from), zone)}</th>
                <td>{formatShortTime(parseInstant(window.to), zone)}</td>
                <td>{words.dates.hours({ count: window.hours })}</td>
                {meta.ensemble ? <td>{window.members ? membersText(window.members) : "—"}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="workability-table" aria-label={table.caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[
              table.month,
              table.share,
              ...(hasYears(results) ? [table.range] : []),
              table.windows,
              table.longest,
              table.wait,
              table.maxWait,
            ].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...results.slice(1), results[0]!].map((row) => (
            <tr key={row.month ?? 0} data-all={row.month === null}>
              <th scope="row">{row.month === null ? table.all : words.dates.months[row.month - 1]}</th>
              <td>{percentText(row.within_share, words)}</td>
              {hasYears(results) ? (
                <td>
                  {percentText(row.lowest_share, words)} – {percentText(row.highest_share, words)}
                </td>
              ) : null}
              <td>{windowsAMonth(row)}</td>
              <td>{hours(row.longest_window_hours)}</td>
              <td>{hours(row.mean_wait_hours)}</td>
              <td>
                {row.wait_is_lower_bound ? "≥ " : ""}
                {hours(row.longest_wait_hours)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How often each quantity exceeds levels, by month. */
export function ExceedanceTables({ result: { results, meta } }: { result: WorkabilityResult }) {
  const words = useWords("workability");
  const { table, exceedance } = words.workability;
  const view = useView("u");
  return (
    <details>
      <summary className="min-h-8 cursor-pointer content-center text-sm">{exceedance}</summary>
      {meta.limits.map(({ quantity, levels }, at) => {
        const unit = unitOf(quantity, view.u, words);
        const shown = levels.flatMap((level, index) =>
          (results[0]!.quantities[at]!.exceeded[index] ?? 0) > 0 ? [{ level, index }] : [],
        );
        const title = `${words.catalog.outputs[quantity]}, ${unit.symbol}`;
        return (
          <section
            key={quantity}
            className="workability-table mt-2"
            aria-label={`${exceedance}: ${title}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
            tabIndex={0}
          >
            <table>
              <caption>{title}</caption>
              <thead>
                <tr>
                  <th scope="col">{table.month}</th>
                  {shown.map(({ level }) => (
                    <th key={level} scope="col">
                      &gt; {numberIn(level, unit)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {[...results.slice(1), results[0]!].map((row) => (
                  <tr key={row.month ?? 0} data-all={row.month === null}>
                    <th scope="row">{row.month === null ? table.all : words.dates.months[row.month - 1]}</th>
                    {shown.map(({ level, index }) => (
                      <td key={level}>{percentText(row.quantities[at]!.exceeded[index] ?? null, words)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        );
      })}
    </details>
  );
}
