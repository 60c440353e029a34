/** The parts of the element, made without HTML text: a page may forbid that (Trusted Types). */

const SVG = "http://www.w3.org/2000/svg";
const THUMB =
  "M7 10v11H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1h3Zm0 0 4-7a2 2 0 0 1 2 2v4h6a2 2 0 0 1 2 2.3l-1.2 8A2 2 0 0 1 17.8 21H7";

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  given: Partial<HTMLElementTagNameMap[Name]> = {},
  attributes: Record<string, string> = {},
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.assign(made, given);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function thumb(isUp: boolean): SVGElement {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", THUMB);
  if (!isUp) shape.setAttribute("transform", "rotate(180 12 12)");
  icon.append(shape);
  return icon;
}
