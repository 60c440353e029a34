/** The invitation link. Its token rides in the fragment, which browsers never send to a server. */
export function inviteLink(origin: string, token: string): string {
  return `${origin}/join#token=${encodeURIComponent(token)}`;
}

/** The link to a new password, in the same way. */
export function resetLink(origin: string, token: string): string {
  return `${origin}/reset#token=${encodeURIComponent(token)}`;
}

export function readInviteToken(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") || null;
}

const STORAGE_KEY = "goldloop.invite";
let kept: string | null = null;

/** Keeps a token in this tab while its person signs in. */
export function keepInvite(token: string): void {
  kept = token;
  try {
    sessionStorage.setItem(STORAGE_KEY, token);
  } catch {
    // Without storage it is kept until the page is reloaded.
  }
}

export function keptInvite(): string | null {
  try {
    return kept ?? sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return kept;
  }
}

export function forgetInvite(): void {
  kept = null;
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // There was none.
  }
}
