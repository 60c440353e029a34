/** The invitation link. Its token rides in the fragment, which browsers never send to a server. */
export function inviteLink(origin: string, token: string): string {
  return `${origin}/join#token=${encodeURIComponent(token)}`;
}

export function readInviteToken(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") || null;
}
