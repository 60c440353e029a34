/** Which text gets more than one line: as on the server; `cases/long_text.json` holds both to it. */
const LONG_TEXT = 500; // more characters than a single line shows
const LONG_WIDGETS = ["richtext", "textarea", "markdown", "html", "longtext"];
const LONG_FORMATS = ["markdown", "html", "text/markdown", "text/html"];

type Rules = Readonly<Record<string, unknown>>;

/** Of a field whose schema is of the type string. */
export function isLongText({ format, contentMediaType, maxLength }: Rules, { widget }: Rules): boolean {
  return (
    isOneOf(widget, LONG_WIDGETS) ||
    isOneOf(format, LONG_FORMATS) ||
    isOneOf(contentMediaType, LONG_FORMATS) ||
    (typeof maxLength === "number" && maxLength > LONG_TEXT)
  );
}

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return typeof value === "string" && words.includes(value);
}
