import type { DescribedSchema } from "#lib/contract/described-api.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";

interface Props {
  schema: DescribedSchema;
  words: Messages["docs"];
}

/** The fields of a body, one per row. */
export function SchemaTable({ schema, words }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by keyboard too
    <section aria-label={schema.name} className="docs-scroll" tabIndex={0}>
      <table className="docs-table">
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.rules}</th>
          </tr>
        </thead>
        <tbody>
          {schema.fields.map((field) => (
            <tr key={field.path}>
              <th scope="row" lang="en">
                {breakable(field.path)}
              </th>
              <td>
                <span lang="en">{field.type}</span>
                {field.required ? "" : words.optional}
              </td>
              <td lang="en">{[field.description, ...field.rules].filter(Boolean).join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A path that may break after each dot. */
const breakable = (path: string) => path.replaceAll(".", ".\u200b");
