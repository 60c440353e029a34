// @vitest-environment jsdom
import { expect, test } from "vitest";
import { standalone } from "./svgToPng";

test("a drawing takes its colours along and leaves the page's stylesheet behind", () => {
  document.body.innerHTML = `<style>.c { fill: rgb(1, 2, 3); }</style>
    <svg width="10" height="10"><g><circle class="c" r="3"></circle></g></svg>`;
  const svg = document.querySelector("svg") as SVGSVGElement;
  const markup = standalone(svg, 10, 20, { title: "A <b> & c", background: "rgb(9, 9, 9)", color: "rgb(8, 8, 8)" });
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  const circle = parsed.querySelector("circle");
  expect(circle?.getAttribute("style")).toContain("fill:rgb(1, 2, 3)");
  expect(circle?.hasAttribute("class")).toBe(false);
  expect(parsed.querySelector("text")?.textContent).toBe("A <b> & c");
  expect(parsed.querySelector("rect")?.getAttribute("fill")).toBe("rgb(9, 9, 9)");
  expect(parsed.documentElement.getAttribute("height")).toBe("64");
});
