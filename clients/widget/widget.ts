/** `<goldloop-feedback token="glf_…">`: thumbs and a comment for one turn, on any page.
 *
 * The token says which turn; where Goldloop is, the address of this script does, unless `server` is given.
 */
import { GoldloopError } from "../js/src/errors.js";
import { giveFeedback } from "../js/src/feedback.js";
import { type Labels, labelsIn } from "./labels.js";
import { make, thumb } from "./parts.js";
import { styles } from "./styles.js";

type Reaction = "ok" | "not_ok";
type State = "idle" | "sending" | "sent" | "failed";

interface Wanted {
  reaction: Reaction | null;
  text: string | null;
}

const NAME = "goldloop-feedback";
const LONGEST_COMMENT = 10_000; // characters that the server takes
const SCRIPT = scriptAddress();
const REACTIONS: readonly Reaction[] = ["ok", "not_ok"];

class GoldloopFeedback extends HTMLElement {
  static readonly observedAttributes = ["token", "server", "reaction", "comment", "question", "lang"];

  #labels: Partial<Labels> = {};
  #state: State = "idle";
  #said: Reaction | null = null; // as far as the server has confirmed
  #wanted: Wanted = { reaction: null, text: null };
  #error: GoldloopError | null = null;
  #message = "";
  #isCommenting = false;
  #sending: AbortController | null = null;
  #parts: Parts | null = null;

  /** Words of your own in place of those that are built in. */
  get labels(): Partial<Labels> {
    return this.#labels;
  }

  set labels(labels: Partial<Labels>) {
    this.#labels = { ...labels };
    this.#draw();
  }

  /** `ok`, `not_ok`, or null: what the server has. */
  get reaction(): Reaction | null {
    return this.#said;
  }

  get state(): State {
    return this.#state;
  }

  connectedCallback(): void {
    if (!this.#parts) {
      const root = this.attachShadow({ mode: "open", delegatesFocus: true });
      root.adoptedStyleSheets = [styles()];
      this.#parts = makeParts(root);
      this.#listen(this.#parts);
    }
    this.#draw();
  }

  disconnectedCallback(): void {
    if (this.#state !== "sending") this.#isCommenting = false;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === "token") this.#begin();
    if (name === "token" || name === "reaction") this.#said = asReaction(this.getAttribute("reaction"));
    this.#draw();
  }

  /** Of another turn, or of the same one with more time. */
  #begin(): void {
    this.#sending?.abort();
    this.#sending = null;
    this.#state = "idle";
    this.#error = null;
    this.#message = "";
    this.#isCommenting = false;
  }

  #listen(parts: Parts): void {
    REACTIONS.forEach((reaction, place) => {
      parts.thumbs[place]?.addEventListener("click", () => this.#choose(reaction));
    });
    parts.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#comment(parts.comment.value.trim());
    });
    parts.form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) parts.form.requestSubmit();
      else if (event.key === "Escape") this.#closeComment();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    parts.cancel.addEventListener("click", () => this.#closeComment());
    parts.retry.addEventListener("click", () => {
      parts.thumbs[this.#wanted.reaction === "not_ok" ? 1 : 0]?.focus();
      void this.#send(this.#wanted);
    });
  }

  /** The same thumb again takes it back. */
  #choose(reaction: Reaction): void {
    if (this.#state === "sending" || this.#isExpired) return;
    const shown = this.#state === "failed" ? this.#said : this.#shown;
    void this.#send({ reaction: shown === reaction ? null : reaction, text: null });
  }

  #comment(text: string): void {
    if (this.#state === "sending" || this.#said === null) return;
    if (!text) this.#closeComment();
    else void this.#send({ reaction: this.#said, text });
  }

  #closeComment(): void {
    this.#isCommenting = false;
    this.#draw();
    this.#parts?.thumbs[this.#said === "not_ok" ? 1 : 0]?.focus();
  }

  async #send(wanted: Wanted): Promise<void> {
    const ended = new AbortController();
    this.#sending = ended;
    this.#wanted = wanted;
    this.#error = null;
    this.#state = "sending";
    this.#draw();
    try {
      const { signal } = ended;
      const result = await giveFeedback({ server: this.#server, token: this.#token, ...wanted, signal });
      if (ended.signal.aborted) return;
      this.#isDone(wanted, result.outcome);
    } catch (error) {
      if (ended.signal.aborted) return;
      this.#hasFailed(error);
    }
  }

  #isDone(wanted: Wanted, outcome: string): void {
    const hadFocus = this.#parts?.form.contains(this.shadowRoot?.activeElement ?? null) ?? false;
    this.#state = "sent";
    this.#said = wanted.reaction;
    this.#isCommenting = wanted.reaction !== null && wanted.text === null && this.#asksFor(wanted.reaction);
    this.#message = wanted.text !== null ? "commentSent" : wanted.reaction === null ? "cleared" : "thanks";
    if (this.#parts && wanted.text === null) this.#parts.comment.value = "";
    this.#draw();
    if (hadFocus && !this.#isCommenting) this.#parts?.thumbs[wanted.reaction === "not_ok" ? 1 : 0]?.focus();
    this.#tell("goldloop-reaction", { ...wanted, outcome });
  }

  #hasFailed(error: unknown): void {
    const failure =
      error instanceof GoldloopError
        ? error
        : new GoldloopError({ code: "client_error", detail: String(error) }, { cause: error });
    this.#state = "failed";
    this.#error = failure;
    if (this.#isExpired) this.#isCommenting = false;
    this.#draw();
    this.#tell("goldloop-error", { code: failure.code, status: failure.status, detail: failure.detail });
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  get #token(): string {
    return this.getAttribute("token") ?? "";
  }

  get #server(): string {
    return this.getAttribute("server") || SCRIPT;
  }

  get #shown(): Reaction | null {
    return this.#state === "sending" ? this.#wanted.reaction : this.#said;
  }

  /** Or was never valid: nothing that is tried again gets through. */
  get #isExpired(): boolean {
    return this.#state === "failed" && (this.#error?.status === 401 || this.#error?.code === "unauthenticated");
  }

  /** `comment` is `always` unless told, `negative` after a thumb down only, or `off`. */
  #asksFor(reaction: Reaction): boolean {
    const wanted = this.getAttribute("comment");
    return wanted === "off" ? false : wanted === "negative" ? reaction === "not_ok" : true;
  }

  get #words(): Labels {
    const language = this.lang || this.closest("[lang]")?.getAttribute("lang") || navigator.language;
    return { ...labelsIn(language), ...this.#labels };
  }

  #draw(): void {
    const parts = this.#parts;
    if (!parts) return;
    const words = this.#words;
    const isSending = this.#state === "sending";
    parts.panel.setAttribute("aria-busy", String(isSending));
    this.dataset.state = this.#state;
    parts.question.textContent = words.question;
    parts.question.hidden = this.getAttribute("question") === "off";
    parts.group.setAttribute("aria-label", words.question);
    REACTIONS.forEach((reaction, place) => {
      const button = parts.thumbs[place];
      if (!button) return;
      const name = reaction === "ok" ? words.helpful : words.notHelpful;
      button.setAttribute("aria-label", name);
      button.title = name;
      button.setAttribute("aria-pressed", String(this.#shown === reaction));
      button.setAttribute("aria-disabled", String(isSending || this.#isExpired));
    });
    this.#drawComment(parts, words, isSending);
    this.#drawMessages(parts, words);
  }

  #drawComment(parts: Parts, words: Labels, isSending: boolean): void {
    parts.form.hidden = !this.#isCommenting;
    parts.prompt.textContent = this.#said === "not_ok" ? words.commentNotHelpful : words.commentHelpful;
    parts.comment.readOnly = isSending;
    parts.send.textContent = words.send;
    parts.send.setAttribute("aria-disabled", String(isSending));
    parts.cancel.textContent = words.cancel;
  }

  #drawMessages(parts: Parts, words: Labels): void {
    parts.status.textContent =
      this.#state === "sending" ? words.sending : this.#state === "sent" ? words[this.#message as keyof Labels] : "";
    const failure = this.#state === "failed" ? this.#error : null;
    const isFinal = failure !== null && failure.status !== null && failure.status < 500 && failure.status !== 429;
    parts.error.hidden = failure === null;
    parts.problem.textContent = !failure ? "" : this.#isExpired ? words.expired : isFinal ? words.refused : words.failed;
    parts.retry.hidden = failure === null || this.#isExpired || isFinal;
    parts.retry.textContent = parts.retry.hidden ? "" : words.retry;
  }
}

interface Parts {
  panel: HTMLElement;
  group: HTMLElement;
  question: HTMLElement;
  thumbs: readonly HTMLButtonElement[];
  form: HTMLFormElement;
  prompt: HTMLElement;
  comment: HTMLTextAreaElement;
  send: HTMLButtonElement;
  cancel: HTMLButtonElement;
  status: HTMLElement;
  error: HTMLElement;
  problem: HTMLElement;
  retry: HTMLButtonElement;
}

function makeParts(root: ShadowRoot): Parts {
  const question = make("span", {}, { part: "question", "aria-hidden": "true" });
  const thumbs = REACTIONS.map((reaction) =>
    make("button", { type: "button" }, { part: `thumb ${reaction}` }, thumb(reaction === "ok")),
  );
  const group = make("div", {}, { part: "thumbs", role: "group" }, question, ...thumbs);
  const prompt = make("label", { htmlFor: "comment" });
  const comment = make("textarea", { id: "comment", maxLength: LONGEST_COMMENT, rows: 3 }, { part: "comment" });
  const send = make("button", { type: "submit" }, { part: "send" });
  const cancel = make("button", { type: "button" }, { part: "cancel" });
  const row = make("div", { className: "row" }, {}, send, cancel);
  const form = make("form", { hidden: true, noValidate: true }, { part: "form" }, prompt, comment, row);
  const status = make("p", {}, { part: "status", role: "status" });
  const problem = make("span");
  const retry = make("button", { type: "button" }, { part: "retry" });
  const error = make("p", { hidden: true }, { part: "error", role: "alert" }, problem, retry);
  const panel = make("div", {}, { part: "panel" }, group, form, status, error);
  root.append(panel);
  return { panel, group, question, thumbs, form, prompt, comment, send, cancel, status, error, problem, retry };
}

function asReaction(text: string | null): Reaction | null {
  return REACTIONS.find((reaction) => reaction === text) ?? null;
}

/** Where this script came from, as the browser says; any script of the page may have its name, and is not asked. */
function scriptAddress(): string {
  const script = document.currentScript;
  const address = script instanceof HTMLScriptElement ? script.src : import.meta.url;
  return address ? new URL(".", address).href : location.origin;
}

if (!customElements.get(NAME)) customElements.define(NAME, GoldloopFeedback);
