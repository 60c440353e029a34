/** How the element looks. A constructed style sheet, which no content security policy of a page forbids. */

const LIGHT = `
  color-scheme: light;
  --surface: var(--goldloop-surface, #fff); --text: var(--goldloop-text, #1c1917); --muted: #57534e;
  --line: #78716c; --hover: #f5f5f4; --accent: var(--goldloop-accent, #1d4ed8); --on-accent: var(--goldloop-on-accent, #fff);
  --error: #b91c1c;
`;
const DARK = `
  color-scheme: dark;
  --surface: var(--goldloop-surface, #1c1917); --text: var(--goldloop-text, #f5f5f4); --muted: #d6d3d1;
  --line: #78716c; --hover: #292524; --accent: var(--goldloop-accent, #93c5fd); --on-accent: var(--goldloop-on-accent, #172554);
  --error: #fca5a5;
`;

const TEXT = `
:host { display: inline-block; max-width: 100%; font: 0.875rem/1.4 system-ui, sans-serif; ${LIGHT} }
:host([hidden]) { display: none; }
:host([theme="dark"]) { ${DARK} }
@media (prefers-color-scheme: dark) { :host(:not([theme="light"])) { ${DARK} } }
* { box-sizing: border-box; }
[part="panel"] { background: var(--surface); color: var(--text); border-radius: 0.5rem; padding: 0.375rem 0.5rem; }
[part="thumbs"] { display: flex; align-items: center; flex-wrap: wrap; gap: 0.375rem; }
[part="question"] { margin-inline-end: 0.25rem; }
button { font: inherit; color: inherit; cursor: pointer; background: transparent; border: 1px solid var(--line);
  border-radius: 0.375rem; padding: 0.25rem 0.75rem; min-height: 2rem; }
button:hover { background: var(--hover); }
button:focus-visible, textarea:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button[aria-disabled="true"] { cursor: default; opacity: 0.75; }
button[part~="thumb"] { width: 2.25rem; height: 2.25rem; padding: 0; display: grid; place-items: center; }
button[aria-pressed="true"], button[part="send"] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
svg { width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round;
  stroke-linejoin: round; }
form { display: grid; gap: 0.375rem; margin-top: 0.5rem; width: 22rem; max-width: 100%; }
textarea { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 0.375rem;
  padding: 0.375rem 0.5rem; width: 100%; min-height: 4rem; resize: vertical; }
.row { display: flex; gap: 0.375rem; }
p { margin: 0.375rem 0 0; color: var(--muted); }
p:empty { display: none; }
[part="error"] { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; color: var(--error); }
[hidden] { display: none !important; }
@media (forced-colors: active) { button[aria-pressed="true"] { border-width: 3px; } }
`;

let sheet: CSSStyleSheet | undefined;

export function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(TEXT);
  }
  return sheet;
}
