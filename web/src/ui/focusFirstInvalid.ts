/** Brings whoever submitted a form to the first thing to put right, once it is drawn; else to what is said above it. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  setTimeout(() => {
    const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!first) return form?.querySelector('[role="alert"]')?.scrollIntoView({ block: "center" });
    const target = first.getAttribute("role") === "radiogroup" ? first.querySelector("input") : first;
    target?.focus();
  });
}
