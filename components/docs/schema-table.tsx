import type { DescribedSchema } from "#lib/contract/described-api.ts";
import type { DocsWords } from "#lib/words/en/docs.ts";

interface Props {
  schema: DescribedSchema;
  words: DocsWords;
}

/** The fields of a body, one per row. */
export function SchemaTable({ schema, words }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by keyboard too
    <section aria-labelledby={schema.name} className="mt-6 overflow-x-auto" tabIndex={0}>
      <h3 id={schema.name} className="font-mono font-semibold" lang="en">
        {schema.name}
      </h3>
      <table className="mt-2 w-full text-left text-sm">
        <thead>
          <tr>
            <th className="pr-4">{words.field}</th>
            <th className="pr-4">{words.type}</th>
            <th>{words.rules}</th>
          </tr>
        </thead>
        <tbody>
          {schema.fields.map((field) => (
            <tr key={field.path} className="border-t align-top">
              <td className="pr-4 font-mono" lang="en">
                {field.path}
              </td>
              <td className="pr-4">
                {field.type}
                {field.required ? "" : words.optional}
              </td>
              <td lang="en">{[...field.rules, field.description].filter(Boolean).join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
