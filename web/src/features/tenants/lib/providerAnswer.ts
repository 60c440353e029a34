/** What a sign-in provider sends back with the browser, in the address. */
export interface ProviderAnswer {
  state: string;
  code?: string;
  error?: string;
  iss?: string;
}

/** Read by hand: the router would take a code of digits for a number. Null for an address that no provider made. */
export function readProviderAnswer(search: string): ProviderAnswer | null {
  const given = new URLSearchParams(search);
  const state = given.get("state");
  if (!state) return null;
  const answer: ProviderAnswer = { state };
  for (const key of ["code", "error", "iss"] as const) {
    const value = given.get(key);
    if (value !== null) answer[key] = value;
  }
  return answer;
}
