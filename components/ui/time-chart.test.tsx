import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { GUTTER } from "./chart.ts";
import { ChartLayer, type ChartRow, ChartRowPicture, TimeLines } from "./time-chart.tsx";

const WIDTH = 300;
const row = (top: number): ChartRow => ({
  id: `row ${top}`,
  title: "Wind",
  titleY: top - 5,
  top,
  bottom: top + 40,
  scale: [
    { y: top, text: "1020" },
    { y: top + 20, text: "1005" },
  ],
  paths: [`M0 ${top}L${WIDTH} ${top + 20}`],
  arrows: [],
});
const attributes = (html: string, element: string, name: string) =>
  [...html.matchAll(new RegExp(`<${element}[^>]* ${name}="([^"]*)"`, "g"))].map(([, value]) => Number(value));

it("has the numbers of an axis beside the plot, where no curve is", () => {
  const html = renderToStaticMarkup(<ChartRowPicture row={row(16)} width={WIDTH} />);
  const numbers = [...html.matchAll(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="end"[^>]*>10/g)];
  expect(numbers.map(([, x]) => Number(x))).toEqual([WIDTH + GUTTER, WIDTH + GUTTER]);
  // The scale lines end at the gutter.
  expect(Math.max(...attributes(html, "line", "x2"))).toBe(WIDTH);
});

it("marks a time in the plots alone, not across titles and what is between rows", () => {
  const rows = [row(16), row(90)];
  const html = renderToStaticMarkup(
    <ChartLayer width={WIDTH} height={130}>
      <TimeLines width={WIDTH} rows={rows} time={100} pointed={120} x={(time) => time} />
    </ChartLayer>,
  );
  const spans = attributes(html, "line", "y1").map((top, index) => [
    top,
    attributes(html, "line", "y2")[index],
  ]);
  expect(spans).toEqual([
    [16, 56],
    [90, 130],
    [16, 56],
    [90, 130],
  ]);
  const outside = <TimeLines width={WIDTH} rows={rows} time={WIDTH + 1} x={(time) => time} />;
  expect(renderToStaticMarkup(outside)).toBe("");
});
