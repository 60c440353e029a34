import { createContext, useContext } from "react";

const SessionId = createContext("");

/** Tells everything below which session it is about. */
export const SessionIdProvider = SessionId.Provider;

export function useSessionId(): string {
  return useContext(SessionId);
}
