import { useApiKey } from "#components/api-client/api-key.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { StormCard } from "./storm-card.tsx";
import { StormList } from "./storm-list.tsx";
import { useStorms } from "./storms-context.tsx";

/** The storm watch: all storms of a provider, or the details of one. @param onShow Moves the map to a storm. */
export function StormPanel({ onShow }: { onShow(entry: StormEntry): void }) {
  const { selected, entry } = useStorms();
  const key = useApiKey();
  if (!selected || !key) return <StormList onShow={onShow} />;
  return (
    <StormCard
      key={`${selected.provider} ${selected.id}`}
      newest={selected}
      entry={entry ?? selected}
      apiKey={key}
    />
  );
}
