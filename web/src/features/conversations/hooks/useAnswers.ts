import { createContext, useContext } from "react";

interface Answers {
  conversation: string;
  /** The beginnings of the answers that are at hand, by turn. */
  byTurn: ReadonlyMap<string, string>;
}

const Context = createContext<Answers>({ conversation: "", byTurn: new Map() });
export const AnswersProvider = Context.Provider;

/** What to call a turn of the transcript or of another one: by what was said in it, never by an id alone. */
export function useAnswerName(): (conversation: string, turn: string | null) => string {
  const answers = useContext(Context);
  return (conversation, turn) => {
    if (conversation !== answers.conversation) return "an answer in another conversation";
    const words = answers.byTurn.get(turn ?? "");
    return words ? `“${words}”` : "an answer that is not loaded";
  };
}
