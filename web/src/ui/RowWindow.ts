/** Keeps track of which rows of a long list are drawn while the page scrolls, and of what one reads on the screen. */
import { type Drawn, drawnRows, offsetOf } from "./windowing";

const AROUND = 900; // pixels drawn before and after what is in sight: about a screen
const STEP = 200; // pixels that one scrolls before other rows are drawn
const HEADER = 60; // pixels of the page that its header covers
const TRIES = 8; // until a row that is far away is drawn: each comes nearer, as heights become known

interface Sought {
  key: string;
  tries: number;
  onShown: (row: HTMLElement) => void;
}

export class RowWindow {
  private readonly measured = new Map<string, number>();
  private view = { top: -AROUND, bottom: AROUND }; // measured from where the list begins
  private keys: readonly string[] = [];
  private heights: readonly number[] = [];
  private estimate: (row: number) => number = () => 0;
  /** The rows from the first in sight on, and where they are in the document. */
  private seen: { key: string; top: number }[] = [];
  /** Rows came in before it since the last drawing. */
  private isPushed = false;
  private sought: Sought | null = null;

  constructor(
    private readonly frame: () => HTMLElement | null,
    private readonly redraw: () => void,
  ) {}

  /** What is to be drawn of these rows. Where some came in before what one reads, the same are drawn, further down. */
  draw(keys: readonly string[], estimate: (row: number) => number): Drawn {
    const heights = keys.map((key, row) => this.measured.get(key) ?? estimate(row));
    if (this.keys !== keys) {
      this.seen = this.seen.filter(({ key }) => keys.includes(key)); // what one reads may have become part of another row
      const [then, now] = [this.keys.indexOf(this.seen[0]?.key ?? ""), keys.indexOf(this.seen[0]?.key ?? "")];
      const moved = then === -1 ? 0 : offsetOf(heights, now) - offsetOf(this.heights, then);
      this.view = { top: this.view.top + moved, bottom: this.view.bottom + moved };
      this.isPushed ||= then !== -1 && now > then;
    }
    Object.assign(this, { keys, heights, estimate });
    return drawnRows(heights, this.view.top, this.view.bottom);
  }

  /** After each drawing: what one reads stays where it was. While the list's beginning is in sight, only new rows move it. */
  settle(): void {
    const before = this.seen[0];
    const row = before && this.find(before.key);
    const isBegun = (this.frame()?.getBoundingClientRect().top ?? 0) < HEADER;
    if (before && row && (isBegun || this.isPushed)) {
      const moved = row.getBoundingClientRect().top + window.scrollY - before.top;
      if (Math.abs(moved) >= 1) window.scrollBy(0, moved);
    }
    this.isPushed = false;
    this.measure();
    this.heights = this.keys.map((key, place) => this.measured.get(key) ?? this.estimate(place));
    this.seek();
  }

  /** After each scroll, and whenever the page changes its size. */
  look(): void {
    const frame = this.frame();
    if (!frame) return;
    this.measure();
    const { top } = frame.getBoundingClientRect();
    const view = { top: floor(-top - AROUND), bottom: floor(window.innerHeight - top + AROUND) };
    if (view.top === this.view.top && view.bottom === this.view.bottom) return;
    this.view = view;
    this.redraw();
  }

  /** Draws a row, wherever it is in the list, and tells when it is there. */
  reveal(key: string, onShown: (row: HTMLElement) => void): void {
    this.sought = { key, tries: 0, onShown };
    this.redraw();
  }

  private seek(): void {
    const { sought } = this;
    const frame = this.frame();
    if (!sought || !frame) return;
    const found = this.find(sought.key);
    const place = this.keys.indexOf(sought.key);
    sought.tries += 1;
    if (found || place === -1 || sought.tries > TRIES) {
      this.sought = null;
      if (found) sought.onShown(found);
      return;
    }
    const offset = offsetOf(this.heights, place);
    this.seen = [];
    this.view = { top: offset - AROUND, bottom: offset + window.innerHeight + AROUND };
    window.scrollTo(0, frame.getBoundingClientRect().top + window.scrollY + offset - HEADER);
    this.redraw();
  }

  /** Learns how high the drawn rows are, and which one is being read. */
  private measure(): void {
    this.seen = [];
    for (const row of this.rows()) {
      const { top, bottom, height } = row.getBoundingClientRect();
      if (height === 0) continue; // nothing is laid out
      const key = row.dataset.row ?? "";
      this.measured.set(key, height);
      if (bottom > HEADER) this.seen.push({ key, top: top + window.scrollY });
    }
  }

  private rows(): HTMLElement[] {
    return [...(this.frame()?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  }

  private find(key: string): HTMLElement | undefined {
    return this.rows().find(({ dataset }) => dataset.row === key);
  }
}

function floor(pixels: number): number {
  return Math.floor(pixels / STEP) * STEP;
}
