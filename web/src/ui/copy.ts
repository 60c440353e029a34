/** Copies text; falls back to a selection where the clipboard API is shut (plain http on a network). */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Inside an open dialog, or its focus trap takes the selection away.
  const host = document.activeElement?.closest("[role=dialog]") ?? document.body;
  host.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}
