import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Legend } from "#components/legend/legend.tsx";
import { PrintedPoint } from "#components/point/printed-point.tsx";
import type { Side } from "#components/view-state/compared.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { layerTitle } from "#components/view-state/overlays.ts";
import { useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { layerOf, type PaintedName, paintedStatistic } from "#lib/catalog/painted.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { staleNotice } from "./connection-notice.tsx";
import { FieldProvenance } from "./field-provenance.tsx";
import { DifferenceLegend, StatisticLegend } from "./late-legend.ts";
import { SampledClockProvider } from "./sampled-clock-provider.tsx";
import { useScreen, useWeather } from "./screen-context.tsx";

/** The printed page: a picture of the map, its legend, the conditions at the point and the sources. */
export function PrintSheet() {
  const words = useWords().screen;
  const { map } = useScreen();
  const [printing, setPrinting] = useState(false);
  const picture = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const begin = () => {
      // The page is printed as soon as the listeners have returned, so rendering must be synchronous.
      flushSync(() => setPrinting(true));
      if (!picture.current) return;
      picture.current.hidden = !map.current;
      map.current?.copyTo(picture.current);
    };
    const end = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, [map]);
  // The sheet is a `main` element because it is the whole content of the printed page.
  return (
    <main className="print-sheet" data-testid="print-sheet">
      {printing ? (
        <>
          <Heading />
          <canvas ref={picture} role="img" aria-label={words.print.map} className="print-map" />
          <MapCaption />
          <SampledClockProvider>
            <PrintedPoint />
          </SampledClockProvider>
          <p className="print-foot">
            <strong>{words.disclaimer.sentence}</strong> {words.disclaimer.printed}
          </p>
        </>
      ) : null}
    </main>
  );
}

function Heading() {
  const zone = useZone();
  const { print, disclaimer, notices } = zone.words.screen;
  const { drawn, drawnTime, drawnSteps, drawnFixed, synthetic, now, compare } = useWeather(
    "drawn",
    "drawnTime",
    "drawnSteps",
    "drawnFixed",
    "synthetic",
    "now",
    "compare",
  );
  const { words } = zone;
  const stale = synthetic ? undefined : staleNotice(drawnSteps?.run, now, drawnTime, words);
  const mapOf = (side: Side, layer: PaintedName, time: number | undefined) => {
    const text = print.mapOf({
      title: layerTitle(layer, words),
      time: time === undefined ? undefined : formatTime(time, undefined, zone),
    });
    return compare ? words.compare.of({ side, text }) : text;
  };
  return (
    <header className="print-head">
      <div>
        <h1 className="font-semibold text-lg">{SERVICE_NAME}</h1>
        {drawn && drawnTime !== undefined ? (
          <p>{mapOf("a", drawn, drawnFixed ? undefined : drawnTime)}</p>
        ) : null}
        {compare?.drawn ? <p>{mapOf("b", compare.drawn, compare.drawnTime)}</p> : null}
      </div>
      <div className="text-right">
        <p className="font-semibold">{disclaimer.sentence}</p>
        {synthetic ? (
          <p>
            <strong>{notices.syntheticPrinted}</strong>
          </p>
        ) : null}
        {stale ? (
          <p>
            <strong>{stale.text}</strong>
          </p>
        ) : null}
        {now > 0 ? <p>{print.at({ time: formatTime(now, undefined, zone) })}</p> : null}
      </div>
    </header>
  );
}

function MapCaption() {
  const { attribution } = useWords().map;
  const view = useView("u");
  const theme = useShownTheme();
  const { drawn, old, compare, members } = useWeather("drawn", "old", "compare", "members");
  const difference = compare?.difference;
  const isTwo = compare !== undefined && !compare.wanted.difference && compare.drawn !== drawn;
  const other = isTwo ? compare.drawn : undefined;
  const legend = (layer: PaintedName, isOld: boolean, side: Side | undefined) => {
    const shared = { theme, old: isOld, units: view.u };
    return paintedStatistic(layer) ? (
      <StatisticLegend {...shared} layer={layer} members={members} />
    ) : (
      <Legend {...shared} layer={layerOf(layer)} side={side} />
    );
  };
  return (
    <div className="print-caption">
      {difference ? (
        <DifferenceLegend layer={difference.variable} theme={theme} units={view.u} />
      ) : drawn ? (
        legend(drawn, old, other && "a")
      ) : null}
      {compare && other ? legend(other, compare.old, "b") : null}
      <p className="provenance text-xs">
        <FieldProvenance /> {attribution}
      </p>
    </div>
  );
}
