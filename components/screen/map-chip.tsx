import { useId } from "react";
import { useWords } from "#components/words/words-context.ts";
import { FieldProvenance } from "./field-provenance.tsx";
import { useWeather } from "./screen-context.tsx";

/**
 * A chip that is always on the map: it states that the data is not for navigation, and whether it is
 * synthetic. It opens the details.
 */
export function MapChip() {
  const { disclaimer, notices } = useWords().screen;
  const { synthetic } = useWeather("synthetic");
  const id = useId();
  return (
    <>
      <button type="button" className="surface map-chip" popoverTarget={id} data-synthetic={synthetic}>
        {synthetic ? `${notices.demo} ` : null}
        {disclaimer.sentence}
      </button>
      <p role="status" className="sr-only">
        {synthetic ? notices.synthetic : null}
      </p>
      <section
        id={id}
        popover="auto"
        aria-label={disclaimer.title}
        className="surface map-about"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls in a low window, also by keyboard
        tabIndex={0}
      >
        {synthetic ? (
          <p>
            <strong>{notices.synthetic}</strong> {notices.realForecasts} <code>FEEDS=lite npm start</code>
          </p>
        ) : null}
        <p className="provenance">
          <FieldProvenance />
        </p>
        <p>{disclaimer.text}</p>
      </section>
    </>
  );
}
