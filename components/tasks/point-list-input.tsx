import { useState } from "react";
import { useWords } from "#components/words/words-context.ts";

interface Props {
  /** @returns Whether it was read: otherwise the field is emptied, because it reports no change for the same file. */
  onFile(file: File): Promise<boolean>;
  onPasted(text: string): void;
}

/** A file of points, chosen or dropped, or pasted text. */
export function PointListInput({ onFile, onPasted }: Props) {
  const { list } = useWords("tasks").tasks;
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way to what the field below does
    <div
      className="point-list-input"
      data-over={over}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        setOver(false);
        if (!file) return;
        event.preventDefault();
        void onFile(file);
      }}
    >
      <label className="form-field">
        {list.file}
        <input
          type="file"
          className="field py-2"
          accept=".csv,.tsv,.txt,.gpx,.rtz,.rtzp,.xlsx,text/csv,application/gpx+xml,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={async ({ target }) => {
            const [file] = target.files ?? [];
            if (file && !(await onFile(file))) target.value = "";
          }}
        />
      </label>
      <label className="form-field">
        {list.paste}
        <textarea
          className="field min-h-24 py-2 font-mono"
          placeholder={"latitude,longitude,timestamp\n48 30N,005 10W,2026-09-15 12:00"}
          onChange={(event) => onPasted(event.target.value)}
        />
      </label>
    </div>
  );
}
