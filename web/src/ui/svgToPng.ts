/** A drawing of the page as a picture of its own: with its colours, and without the page's stylesheets. */
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "visibility",
] as const;
const FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif"; // the page's own font cannot be read inside a picture
const SCALE = 2; // sharp on a slide
const HEAD = { height: 44, size: 15, margin: 16 };

interface Look {
  title: string;
  background: string;
  color: string;
}

/** The markup of a drawing that looks the same anywhere. */
export function standalone(svg: SVGSVGElement, width: number, height: number, look: Look): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, place) => inline(element, to[place]));
  copy.setAttribute("x", "0");
  copy.setAttribute("y", String(HEAD.height));
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const title = look.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const whole = height + HEAD.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}" font-family="${FONT}">`,
    `<rect width="100%" height="100%" fill="${look.background}"/>`,
    `<text x="${HEAD.margin}" y="28" font-size="${HEAD.size}" font-weight="600" fill="${look.color}">${title}</text>`,
    new XMLSerializer().serializeToString(copy),
    "</svg>",
  ].join("");
}

function inline(from: Element, to: Element | undefined): void {
  if (!to) return;
  const computed = getComputedStyle(from);
  const style = STYLES.flatMap((name) => {
    const value = computed.getPropertyValue(name);
    return value ? `${name}:${value}` : [];
  });
  to.setAttribute("style", style.join(";"));
  to.removeAttribute("class");
}

export async function svgToPng(svg: SVGSVGElement, title: string): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const page = getComputedStyle(document.body);
  const frame = getComputedStyle(svg.closest("figure") ?? document.body);
  const markup = standalone(svg, width, height, { title, background: frame.backgroundColor, color: page.color });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * SCALE);
  canvas.height = Math.round((height + HEAD.height) * SCALE);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser draws no pictures");
  pen.scale(SCALE, SCALE);
  pen.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made"))), "image/png");
  });
}
