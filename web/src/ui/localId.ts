let made = 0;

/** Tells things of this page apart; means nothing beyond it. */
export function localId(): string {
  made += 1;
  return `local-${made}`;
}
