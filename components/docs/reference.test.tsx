import { expect, it } from "vitest";
import { describeApi } from "#lib/contract/described-api.ts";
import { apiDocument } from "#server/operations/list.ts";
import { en, ja } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { OperationsNav } from "./operations-nav.tsx";
import { OperationPage, Overview } from "./reference.tsx";

const api = describeApi(apiDocument(""));
const pageOf = (operation: (typeof api.operations)[number], words = en) =>
  renderInPage(<OperationPage api={api} operation={operation} words={words.docs} />);

it.each(api.operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s: each reply is there, and each link within the page leads somewhere",
  (_name, operation) => {
    const html = pageOf(operation);
    for (const { status } of operation.replies) expect(html).toContain(`<th scope="row">${status}</th>`);
    for (const [, name] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${name}"`);
    for (const { name } of operation.parameters) expect(html).toContain(`name="${name}"`);
  },
);

it("every operation is in the list and on the overview, by group", () => {
  for (const html of [
    renderInPage(
      <OperationsNav groups={api.groups} current="post-metocean" open={false} setOpen={() => {}} />,
    ),
    renderInPage(<Overview api={api} words={en.docs} />),
  ]) {
    for (const { slug } of api.operations) expect(html).toContain(`href="/docs/${slug}"`);
    for (const { group } of api.groups) expect(html).toContain(en.docs.groups[group]);
  }
});

it("has what stands around the reference in the language of the page, and says that the rest is English", () => {
  const japanese = renderInPage(<Overview api={api} words={ja.docs} />);
  expect(japanese).toContain(`<p lang="en">${api.summary.slice(0, 20)}`);
  const html = pageOf(api.operations[0]!, ja);
  expect(html).toContain(ja.docs.replies);
  expect(html).not.toContain(en.docs.replies);
  expect(html).toContain(`lang="en">${api.operations[0]!.summary}`);
});
